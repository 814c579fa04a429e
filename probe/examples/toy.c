/* A toy engine, and below its attachment to a recording: a chain of rods on a wall falls onto the ground.
 *
 *     cc -std=c99 -I probe/include probe/examples/toy.c -o toy -lm && ./toy toy.jsonl
 *
 * Semi-implicit Euler at h = 1/240 s: v += h g, then impulses row after row (projected Gauss-Seidel, 40 sweeps), then q += h v.
 * A hinge keeps J v = -(0.2/h) g, g the distance of its two points; a corner near the ground keeps v_n >= -gap/h, with Coulomb's
 * friction. Each rod's origin is its centre of mass. */
#define DRIFTLAB_PROBE_IMPLEMENTATION
#include "../include/driftlab_probe.h"

#include <math.h>

enum { RODS = 6, BODIES = RODS + 2, CORNERS = 4 * RODS, SWEEPS = 40 };
static const double H = 1.0 / 240, G = -9.81, LENGTH = 0.4, WIDTH = 0.06, FRICTION = 0.5, GROUND = -1.2, CLOSE = 0.02;

typedef struct { double x, y; } vec;
typedef struct { vec at, v; double angle, omega, mass, inertia, inverse_mass, inverse_inertia; } body;
typedef struct { int a, b; vec on_a, on_b, arm_a, arm_b, impulse; } hinge;
typedef struct { int b; vec point, arm; double gap, p_n, p_t; } corner;

static body bodies[BODIES]; /* 0: the wall, 1: the ground */
static hinge hinges[RODS];
static corner corners[CORNERS];
static int corner_count;

static vec add(vec a, vec b) { vec c = {a.x + b.x, a.y + b.y}; return c; }
static vec sub(vec a, vec b) { vec c = {a.x - b.x, a.y - b.y}; return c; }
static vec turned(vec a, double angle) {
    vec c = {cos(angle) * a.x - sin(angle) * a.y, sin(angle) * a.x + cos(angle) * a.y};
    return c;
}
static double cross(vec a, vec b) { return a.x * b.y - a.y * b.x; }

/* Velocity of the point of a body with this arm from its centre. */
static vec velocity(const body *b, vec arm) {
    vec v = {b->v.x - b->omega * arm.y, b->v.y + b->omega * arm.x};
    return v;
}

static void push(body *b, vec arm, vec p, double sign) {
    b->v.x += sign * b->inverse_mass * p.x;
    b->v.y += sign * b->inverse_mass * p.y;
    b->omega += sign * b->inverse_inertia * cross(arm, p);
}

static void build(void) {
    int i;
    for (i = 0; i < BODIES; i++) memset(&bodies[i], 0, sizeof bodies[i]);
    bodies[1].at.y = GROUND;
    for (i = 0; i < RODS; i++) {
        body *rod = &bodies[2 + i];
        vec half = {LENGTH / 2, 0};
        rod->mass = 1000 * LENGTH * WIDTH;
        rod->inertia = rod->mass * (LENGTH * LENGTH + WIDTH * WIDTH) / 12;
        rod->inverse_mass = 1 / rod->mass;
        rod->inverse_inertia = 1 / rod->inertia;
        rod->at.x = (i + 0.5) * LENGTH;
        hinges[i].a = i == 0 ? 0 : 1 + i;
        hinges[i].b = 2 + i;
        if (i > 0) hinges[i].on_a = half;
        hinges[i].on_b.x = -half.x;
    }
}

/* Finds the corners near the ground, at the poses before the step. */
static void find_corners(void) {
    int i, k;
    corner_count = 0;
    for (i = 2; i < BODIES; i++)
        for (k = 0; k < 4; k++) {
            vec local = {(k & 1 ? 0.5 : -0.5) * LENGTH, (k & 2 ? 0.5 : -0.5) * WIDTH};
            corner *c = &corners[corner_count];
            c->arm = turned(local, bodies[i].angle);
            c->point = add(bodies[i].at, c->arm);
            c->gap = c->point.y - GROUND;
            c->b = i;
            c->p_n = c->p_t = 0;
            if (c->gap < CLOSE) corner_count++;
        }
}

static void solve_hinge(hinge *h) {
    body *a = &bodies[h->a], *b = &bodies[h->b];
    vec open = sub(add(b->at, h->arm_b), add(a->at, h->arm_a));
    vec v = sub(velocity(b, h->arm_b), velocity(a, h->arm_a)), p;
    /* p = -K^-1 (J v + (0.2/h) g), K = J M^-1 J' of the two equations. */
    double m = a->inverse_mass + b->inverse_mass, i = a->inverse_inertia, j = b->inverse_inertia;
    double xx = m + i * h->arm_a.y * h->arm_a.y + j * h->arm_b.y * h->arm_b.y;
    double yy = m + i * h->arm_a.x * h->arm_a.x + j * h->arm_b.x * h->arm_b.x;
    double xy = -i * h->arm_a.x * h->arm_a.y - j * h->arm_b.x * h->arm_b.y, det = xx * yy - xy * xy;
    v.x += 0.2 / H * open.x;
    v.y += 0.2 / H * open.y;
    p.x = -(yy * v.x - xy * v.y) / det;
    p.y = -(xx * v.y - xy * v.x) / det;
    push(a, h->arm_a, p, -1);
    push(b, h->arm_b, p, 1);
    h->impulse = add(h->impulse, p);
}

/* Along the normal (0, 1) and the tangent (n_y, -n_x) = (1, 0). */
static void solve_corner(corner *c) {
    body *b = &bodies[c->b];
    vec v = velocity(b, c->arm), p = {0, 0};
    double k = b->inverse_mass + b->inverse_inertia * c->arm.x * c->arm.x, before = c->p_n, most;
    c->p_n = fmax(0, before - (v.y + (c->gap > 0 ? c->gap / H : 0.1 * c->gap / H)) / k);
    p.y = c->p_n - before;
    push(b, c->arm, p, 1);
    v = velocity(b, c->arm);
    k = b->inverse_mass + b->inverse_inertia * c->arm.y * c->arm.y;
    before = c->p_t;
    most = FRICTION * c->p_n;
    c->p_t = fmax(-most, fmin(most, before - v.x / k));
    p.x = c->p_t - before;
    p.y = 0;
    push(b, c->arm, p, 1);
}

static void step(void) {
    int i, sweep;
    for (i = 2; i < BODIES; i++) bodies[i].v.y += H * G;
    for (i = 0; i < RODS; i++) {
        hinge *h = &hinges[i];
        h->arm_a = turned(h->on_a, bodies[h->a].angle);
        h->arm_b = turned(h->on_b, bodies[h->b].angle);
        h->impulse.x = h->impulse.y = 0;
    }
    find_corners();
    for (sweep = 0; sweep < SWEEPS; sweep++) {
        for (i = 0; i < RODS; i++) solve_hinge(&hinges[i]);
        for (i = 0; i < corner_count; i++) solve_corner(&corners[i]);
    }
    for (i = 2; i < BODIES; i++) {
        bodies[i].at.x += H * bodies[i].v.x;
        bodies[i].at.y += H * bodies[i].v.y;
        bodies[i].angle += H * bodies[i].omega;
    }
}

/* ---- The attachment begins here ---- */

static driftlab *begin_recording(const char *target) {
    driftlab *d = driftlab_open(target, "toy", "1", H, 0, G);
    int i;
    driftlab_more(d, "\"contacts_at\":\"begin\"");
    for (i = 0; i < BODIES; i++) {
        const body *b = &bodies[i];
        char name[16];
        sprintf(name, i == 0 ? "wall" : i == 1 ? "ground" : "rod%d", i - 1);
        driftlab_body(d, name, i < 2 ? "fixed" : "dynamic", b->at.x, b->at.y, b->angle, b->mass, b->inertia);
        if (i == 1) driftlab_half_plane(d, 0, 1, 0, 0);
        if (i > 1) driftlab_box(d, LENGTH, WIDTH, 0, 0, 0);
        if (i > 0) driftlab_surface(d, FRICTION, 0);
    }
    for (i = 0; i < RODS; i++) {
        const hinge *h = &hinges[i];
        driftlab_joint(d, "hinge", h->a, h->b, h->on_a.x, h->on_a.y, h->on_b.x, h->on_b.y);
    }
    driftlab_knows(d, DRIFTLAB_JOINTS | DRIFTLAB_CONTACTS);
    return d;
}

static void record(driftlab *d, double time) {
    int i;
    driftlab_step(d, time);
    for (i = 0; i < BODIES; i++) {
        driftlab_pose(d, bodies[i].at.x, bodies[i].at.y, bodies[i].angle);
        driftlab_velocity(d, bodies[i].v.x, bodies[i].v.y, bodies[i].omega);
    }
    for (i = 0; i < RODS; i++) {
        const hinge *h = &hinges[i];
        vec p = h->impulse;
        driftlab_acted(d, i);
        driftlab_impulse(d, h->a, -p.x, -p.y, -cross(h->arm_a, p));
        driftlab_impulse(d, h->b, p.x, p.y, cross(h->arm_b, p));
    }
    for (i = 0; i < corner_count; i++) {
        const corner *c = &corners[i];
        driftlab_contact(d, 1, c->b, c->point.x, c->point.y, 0, 1, c->gap, c->p_n, c->p_t);
    }
    driftlab_end_step(d);
}

/* ---- and ends here ---- */

int main(int count, char **words) {
    int i, steps = count > 2 ? atoi(words[2]) : 480;
    long lost;
    driftlab *d;
    build();
    d = begin_recording(count > 1 ? words[1] : "toy.jsonl");
    for (i = 1; i <= steps; i++) {
        step();
        record(d, i * H);
    }
    lost = driftlab_close(d);
    if (lost != 0) fprintf(stderr, "%ld lines were lost\n", lost);
    return lost < 0;
}
