/* Calls every function of the header once, with numbers that a test knows. */
#define DRIFTLAB_PROBE_IMPLEMENTATION
#include "driftlab_probe.h"

int main(int count, char **words) {
    const double corners[6] = {0, 0, 1, 0, 0, 1};
    double nothing = 0;
    driftlab *d = count > 1 ? driftlab_open(words[1], "every \"one\"\n", NULL, 0.25, 0, -10) : NULL;
    int wall, body, hinge, late, spring, twist;
    driftlab_more(d, "\"contacts_at\":\"begin\"");
    wall = driftlab_body(d, "wall", "fixed", 0, 0, 0, 0, 0);
    driftlab_half_plane(d, 0, 1, 0, -0.5);
    driftlab_surface(d, 0.5, 0.25);
    driftlab_filter(d, 2, 4294967295u, -1);
    body = driftlab_body(d, "b\\c", "dynamic", 0.1, 1e300, -1e-30, 2, 0.125);
    driftlab_more(d, "\"gravity_scale\":0.5");
    driftlab_circle(d, 0.5, 1, 2);
    driftlab_box(d, 1, 2, 0.25, 0.5, 0.75);
    driftlab_more(d, "\"friction\":1");
    driftlab_polygon(d, corners, 3);
    driftlab_rounded_polygon(d, corners, 3, 0.125);
    driftlab_moving(d, 1, 2, 3); /* behind the shapes as well as before them */
    hinge = driftlab_joint(d, "hinge", wall, body, 1, 2, 3, 4);
    driftlab_more(d, "\"limits\":[-1,null]");
    driftlab_circle(d, 9, 9, 9); /* A joint has no shapes. */
    driftlab_moving(d, 9, 9, 9);
    spring = driftlab_spring(d, wall, body, 1, 2, 3, 4, 100, 0.5, 1.5);
    driftlab_more(d, "\"breaks_at\":{\"force\":9}");
    twist = driftlab_torsion_spring(d, wall, body, 10, 0, 0.25);
    driftlab_world(d, "\"combination\":{\"friction\":\"min\",\"restitution\":\"max\"}");
    driftlab_knows(d, DRIFTLAB_JOINTS | DRIFTLAB_CONTACTS);
    if (driftlab_joint(d, "hinge", wall, 7, 0, 0, 0, 0) != -1) return 2;
    if (driftlab_spring(d, wall, 7, 0, 0, 0, 0, 1, 0, 1) != -1) return 2;

    driftlab_step(d, 0.25);
    driftlab_pose(d, 0, 0, 0);
    driftlab_velocity(d, 0, 0, 0);
    driftlab_pose(d, 1.0 / 3, -2.0 / 3, 123456789.015625);
    driftlab_velocity(d, 0.1, 0.2, 5e-324);
    driftlab_acted(d, hinge);
    driftlab_impulse(d, wall, 1, 2, 3);
    driftlab_impulse(d, body, -1, -2, -3);
    driftlab_acted(d, hinge);
    driftlab_more(d, "\"part\":\"motor\",\"along\":4");
    driftlab_spring_acted(d, twist);
    driftlab_impulse(d, body, 0, 0, 7);
    driftlab_contact(d, wall, body, 1, 2, 0, 1, -0.001, 5, -1);
    driftlab_more(d, "\"friction\":0.75");
    driftlab_external(d, body, 0, -5, 0);
    driftlab_hand(d, body, 1, 0, 0.5);
    driftlab_end_step(d);

    /* One came, one went, and the last pose is no number. */
    late = driftlab_body(d, "late", "kinematic", 1, 2, 3, 0, 0);
    driftlab_collides(d, 0);
    driftlab_joint(d, "weld", wall, late, 0, 0, 0, 0);
    driftlab_spring(d, wall, late, 0, 0, 0, 0, 1, 0, 2);
    driftlab_body_went(d, body);
    driftlab_joint_went(d, hinge);
    driftlab_spring_went(d, spring);
    driftlab_step(d, 0.5);
    driftlab_pose(d, 0, 0, 0);
    driftlab_velocity(d, 0, 0, 0);
    driftlab_gone(d);
    driftlab_pose(d, 1, 2, 3);
    driftlab_velocity(d, 0, 0, 0);
    driftlab_end_step(d);
    driftlab_step(d, 0.75);
    driftlab_pose(d, nothing / nothing, 1 / nothing, 0);
    driftlab_end_step(d);
    if (driftlab_lost(d) != 0) return 3;
    return (int)driftlab_close(d);
}
