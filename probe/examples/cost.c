/* What recording by the header costs: 200 bodies at 240 Hz with 150 joints and 400 contacts in every line.
 *
 *     cc -std=c99 -O2 -I probe/include probe/examples/cost.c -o cost -lm && ./cost cost.jsonl
 */
#define DRIFTLAB_PROBE_IMPLEMENTATION
#include "../include/driftlab_probe.h"

#include <math.h>

enum { BODIES = 200, JOINTS = 150, CONTACTS = 400, STEPS = 960 };

static int by_size(const void *a, const void *b) { return *(const double *)a < *(const double *)b ? -1 : 1; }

/* Writes so many joints and contacts a line beside the poses and velocities. */
static long measure(const char *file, int joints, int contacts) {
    static double x[1024], took[STEPS];
    double h = 1.0 / 240;
    int i, step;
    driftlab *d = driftlab_open(file, "cost", NULL, h, 0, -9.81);
    for (i = 0; i < BODIES; i++) {
        char name[16];
        sprintf(name, "body%d", i);
        driftlab_body(d, name, "dynamic", 0, 0, 0, 1, 0.1);
    }
    for (i = 0; i < joints; i++) driftlab_joint(d, "hinge", i, i + 1, 0.5, 0, -0.5, 0);
    for (step = 0; step < STEPS; step++) {
        clock_t begin;
        for (i = 0; i < 1024; i++) x[i] = sin(7919.0 * i + step);
        begin = clock();
        driftlab_step(d, (step + 1) * h);
        for (i = 0; i < BODIES; i++) {
            driftlab_pose(d, x[i], x[i + 1], x[i + 2]);
            driftlab_velocity(d, x[i + 9], x[i + 10], x[i + 11]);
        }
        for (i = 0; i < joints; i++) {
            driftlab_acted(d, i);
            driftlab_impulse(d, i, x[i], x[i + 3], x[i + 5]);
            driftlab_impulse(d, i + 1, x[i + 1], x[i + 4], x[i + 6]);
        }
        for (i = 0; i < contacts; i++)
            driftlab_contact(d, i % BODIES, (i + 1) % BODIES, x[i], x[i + 1], x[i + 2], x[i + 3], x[i + 4], x[i + 5], x[i + 6]);
        driftlab_end_step(d);
        took[step] = (double)(clock() - begin) / CLOCKS_PER_SEC;
    }
    qsort(took, STEPS, sizeof took[0], by_size);
    printf("%3d bodies, %3d joints, %3d contacts: %5.1f us a line in the middle (%.2f %% of a step), %5.1f us at best, "
           "%6.1f us at worst\n",
           BODIES, joints, contacts, 1e6 * took[STEPS / 2], 100 * took[STEPS / 2] / h, 1e6 * took[0], 1e6 * took[STEPS - 1]);
    return driftlab_close(d);
}

int main(int count, char **words) {
    const char *file = count > 1 ? words[1] : "cost.jsonl";
    long lost = measure(file, 0, 0);
    return (measure(file, JOINTS, 0) | measure(file, JOINTS, CONTACTS) | lost) != 0;
}
