/* driftlab_probe.h: writes what a physics engine of planar rigid bodies does, step by step, as a driftlab recording.
 *
 * One file in C99 (and C++11), nothing but the C library. In one source file write
 *
 *     #define DRIFTLAB_PROBE_IMPLEMENTATION
 *     #include "driftlab_probe.h"
 *
 * and in all others only the second line. With -DDRIFTLAB_PROBE_SOCKETS, on POSIX systems, a recording may also go to a local
 * socket, and neither a socket nor a pipe ever makes the game wait: a line that the reader does not take in time is lost, and the
 * next one says so. A reader of "-" who goes does not end the game in either case.
 *
 * SI units: m, kg, s, rad, N s, N m s; y up, angles counter-clockwise. Bodies and joints are numbered from 0 in the order in
 * which they are added. License: MIT or Apache-2.0.
 */
#ifndef DRIFTLAB_PROBE_H
#define DRIFTLAB_PROBE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct driftlab driftlab;

/* Opens a recording: a file; "-" for the standard output, to which the program must then print nothing else; with sockets
 * "unix:PATH" or "tcp:127.0.0.1:PORT", where `driftlab watch` listens. A file is complete and may make the game wait for the
 * disk. NULL if it cannot be opened; every function here ignores a NULL. */
driftlab *driftlab_open(const char *target, const char *engine, const char *version, double time_step, double gravity_x,
                        double gravity_y);

/* Says before the first step that the engine computes in float: the numbers that follow get 9 digits in place of 17. */
void driftlab_float(driftlab *d);

/* Adds JSON keys to what was begun last: the first line, a body, a shape, a joint, a spring, what one of these did, a contact. As
 * in driftlab_more(d, "\"limits\":[-1,1],\"motor\":{\"speed\":2,\"max_torque\":5}"): docs/SCENES.md and docs/RECORDING.md list
 * the keys. */
void driftlab_more(driftlab *d, const char *keys);
/* Adds JSON keys to the scene itself, before the first step, as in
 * driftlab_world(d, "\"combination\":{\"friction\":\"min\",\"restitution\":\"max\"}"): how the surfaces of two shapes combine,
 * in place of the root of the product of their frictions and the larger of their restitutions. */
void driftlab_world(driftlab *d, const char *keys);

/* Adds a body and returns its number. `kind` is "dynamic", "fixed" or "kinematic"; the place is that of its origin, the velocity
 * that of its centre of mass, which is the centroid of its shapes. Names must differ. Once there are steps: it came before the
 * next one. */
int driftlab_body(driftlab *d, const char *name, const char *kind, double x, double y, double angle, double mass, double inertia);
/* Of the body added last, before the next one or a joint: its velocity; 0 if it collides with nothing; whom it collides with, as
 * in Box2D: two of the same group other than 0 if it is positive, and never if it is negative; all others where the mask of each
 * has a bit of the categories of the other one. Without a word all collide but the bodies of a joint: what the engine lets pass
 * through counts as penetration. */
void driftlab_moving(driftlab *d, double v_x, double v_y, double omega);
void driftlab_collides(driftlab *d, int collides);
void driftlab_filter(driftlab *d, unsigned categories, unsigned mask, int group);

/* Add a shape to the body added last, at a place in its coordinates; vertices are x, y, x, y, … */
void driftlab_circle(driftlab *d, double radius, double x, double y);
void driftlab_box(driftlab *d, double width, double height, double x, double y, double angle);
void driftlab_polygon(driftlab *d, const double *vertices, int count);
/* A convex polygon with everything within a radius of it. */
void driftlab_rounded_polygon(driftlab *d, const double *vertices, int count, double radius);
void driftlab_half_plane(driftlab *d, double normal_x, double normal_y, double x, double y);
/* Friction and restitution of the shape added last. */
void driftlab_surface(driftlab *d, double friction, double restitution);

/* Adds a joint and returns its number. The anchors are in the coordinates of their bodies. What else a kind has is added by
 * driftlab_more right behind it; without it a joint is closed as the bodies are placed, and has no limits and no motor:
 *     "hinge"     "limits":[-1,1],"motor":{"speed":2,"max_torque":5}            rad, rad/s, N m
 *     "weld"      "reference_angle":0                                           angle of b less that of a, rad
 *     "slider"    "axis_a":[1,0],"reference_angle":0,"limits":[0,2]             the axis in the coordinates of a; m
 *     "slot"      "axis_a":[1,0]                                                as a slider whose bodies may turn
 *     "wheel"     "axis_a":[0,1],"frequency":4,"damping_ratio":0.7              Hz
 *     "distance"  "length":1.5      or "limits":[1,2]                           m
 *     "rope"      "length":1.5                                                  m
 * Others are in docs/SCENES.md. "collide_connected":true if the bodies of a joint collide. */
int driftlab_joint(driftlab *d, const char *kind, int a, int b, double a_x, double a_y, double b_x, double b_y);

/* Adds a spring with a damper between two points in the coordinates of their bodies, N/m, N s/m, m; or between the angles of two
 * bodies, N m/rad, N m s/rad and rad of the angle of b less that of a. Returns its number; springs are counted by themselves. */
int driftlab_spring(driftlab *d, int a, int b, double a_x, double a_y, double b_x, double b_y, double stiffness, double damping,
                    double rest_length);
int driftlab_torsion_spring(driftlab *d, int a, int b, double stiffness, double damping, double rest_angle);

/* Says before the first step which lists every line has, so that an empty one means that there was nothing: what joints and
 * springs did, the contacts. */
enum { DRIFTLAB_JOINTS = 1, DRIFTLAB_CONTACTS = 2 };
void driftlab_knows(driftlab *d, int lists);

/* A step: its begin with the time after it, then a pose and a velocity for each body in their order, what acted, its end. */
void driftlab_step(driftlab *d, double time);
void driftlab_pose(driftlab *d, double x, double y, double angle);
void driftlab_velocity(driftlab *d, double v_x, double v_y, double omega);
/* In place of a pose: the body is gone. */
void driftlab_gone(driftlab *d);
/* These bodies, joints or springs went before this step; joints and springs of a body go with it. */
void driftlab_body_went(driftlab *d, int body);
void driftlab_joint_went(driftlab *d, int joint);
void driftlab_spring_went(driftlab *d, int spring);
/* A joint or a spring acted: then the impulse on each of its bodies, in the world's axes, with the moment about the body's centre
 * of mass. */
void driftlab_acted(driftlab *d, int joint);
void driftlab_spring_acted(driftlab *d, int spring);
void driftlab_impulse(driftlab *d, int body, double p_x, double p_y, double moment);
/* A contact, its normal from a to b, with the impulses on b along the normal and along the tangent (n_y, -n_x), of the whole
 * step. */
void driftlab_contact(driftlab *d, int a, int b, double x, double y, double n_x, double n_y, double gap, double p_n, double p_t);
/* Impulses of weight and applied forces together, if not those of the scene; and those of a hand. */
void driftlab_external(driftlab *d, int body, double p_x, double p_y, double moment);
void driftlab_hand(driftlab *d, int body, double p_x, double p_y, double moment);
void driftlab_end_step(driftlab *d);

/* Lines lost so far; and the same at the end, or -1 if the file could not be written. */
long driftlab_lost(const driftlab *d);
long driftlab_close(driftlab *d);

#ifdef __cplusplus
}
#endif
#endif /* DRIFTLAB_PROBE_H */

#if defined(DRIFTLAB_PROBE_IMPLEMENTATION) && !defined(DRIFTLAB_PROBE_IMPLEMENTED)
#define DRIFTLAB_PROBE_IMPLEMENTED

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef DRIFTLAB_PROBE_SOCKETS
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif
#endif

/* Most bytes that wait for a reader. */
#define DRIFTLAB_QUEUE ((size_t)4 << 20)

/* A text that grows. After a failed allocation it stays as it is and says so. */
typedef struct {
    char *text;
    size_t length, room;
    int failed;
} driftlab_text;

/* The lists of a line, and those of the world. */
enum {
    DRIFTLAB_Q, DRIFTLAB_V, DRIFTLAB_ACTED, DRIFTLAB_TOUCH, DRIFTLAB_EXTERNAL, DRIFTLAB_HAND, DRIFTLAB_OF_A_STEP,
    DRIFTLAB_BODIES = DRIFTLAB_OF_A_STEP, DRIFTLAB_LINKS, DRIFTLAB_SPRINGS,
    DRIFTLAB_WENT_BODIES, DRIFTLAB_WENT_LINKS, DRIFTLAB_WENT_SPRINGS, DRIFTLAB_LISTS
};

struct driftlab {
    FILE *file;
    int socket, is_socket;   /* a descriptor that does not wait, -1 without; whether another reader may come */
    char *address;
    time_t tried;
    driftlab_text queue, line;
    driftlab_text header;    /* up to the scene, later the whole line */
    driftlab_text lists[DRIFTLAB_LISTS];
    driftlab_text all[DRIFTLAB_LISTS]; /* all that came and went so far, for a reader who comes late */
    driftlab_text last;      /* the body, joint or spring that is being described */
    driftlab_text keys;      /* of that body, behind its shapes */
    driftlab_text scene;     /* keys of the scene */
    driftlab_text names;     /* of the bodies, as JSON, each with its final 0 */
    driftlab_text name_at;   /* where they begin, as size_t */
    driftlab_text *open;     /* what keys are added to */
    int last_list;           /* where the last one belongs */
    int inner;               /* of what is open: 1 within its list of shapes or impulses, 2 behind it */
    int bodies, joints, springs, posed, digits, knows, begun, failed;
    double gravity[2], time;
    long lines, lost, unsaid; /* written or lost; lost; lost since the last one that went out */
};

/* Whether there is room for so many more bytes and a final 0. */
static int driftlab_room(driftlab_text *t, size_t more) {
    if (t->length + more + 1 > t->room) {
        size_t room = (t->length + more + 1) * 2;
        char *text = (char *)realloc(t->text, room);
        if (text == NULL) {
            t->failed = 1;
            return 0;
        }
        t->text = text;
        t->room = room;
    }
    return 1;
}

static void driftlab_put(driftlab_text *t, const char *bytes, size_t length) {
    if (!driftlab_room(t, length)) return;
    memcpy(t->text + t->length, bytes, length);
    t->length += length;
    t->text[t->length] = 0;
}

static void driftlab_say(driftlab_text *t, const char *text) { driftlab_put(t, text, strlen(text)); }

static void driftlab_clear(driftlab_text *t) { t->length = 0; }

static void driftlab_name(driftlab_text *t, const char *name) {
    driftlab_say(t, "\"");
    for (; *name; name++) {
        char escaped[8];
        if (*name == '"' || *name == '\\') driftlab_put(t, "\\", 1);
        if ((unsigned char)*name < 32) {
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)*name);
            driftlab_say(t, escaped);
        } else {
            driftlab_put(t, name, 1);
        }
    }
    driftlab_say(t, "\"");
}

/* Writes nine digits, two at a time. */
static void driftlab_nine(char *text, uint32_t nine) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    uint32_t high = nine / 100000, low = nine % 100000; /* Two chains that the processor follows side by side. */
    memcpy(text + 2, pairs + 2 * (high % 100), 2);
    memcpy(text, pairs + 2 * (high / 100), 2);
    text[8] = (char)('0' + low % 10);
    low /= 10;
    memcpy(text + 6, pairs + 2 * (low % 100), 2);
    memcpy(text + 4, pairs + 2 * (low / 100), 2);
}

/* 5^i times a power of two, from 2^63 up to 2^64: exact. */
static const uint64_t driftlab_fives[28] = {
    0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000, 0x9c40000000000000, 0xc350000000000000,
    0xf424000000000000, 0x9896800000000000, 0xbebc200000000000, 0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000,
    0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000, 0x8e1bc9bf04000000, 0xb1a2bc2ec5000000,
    0xde0b6b3a76400000, 0x8ac7230489e80000, 0xad78ebc5ac620000, 0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400,
    0xd3c21bcecceda100, 0x84595161401484a0, 0xa56fa5b99019a5c8, 0xcecb8f27f4200f3a
};

/* The upper 64 of the 128 bits of a b, rounded. C99 has no integers of 128 bits, hence four products. */
static uint64_t driftlab_times(uint64_t a, uint64_t b) {
    uint64_t low = (a & 0xffffffffu) * (b & 0xffffffffu);
    uint64_t one = (a >> 32) * (b & 0xffffffffu), two = (a & 0xffffffffu) * (b >> 32);
    uint64_t middle = (low >> 32) + (one & 0xffffffffu) + (two & 0xffffffffu) + ((uint64_t)1 << 31);
    return (a >> 32) * (b >> 32) + (one >> 32) + (two >> 32) + (middle >> 32);
}

/* m 2^e 10^k rounded to an integer, for m from 2^63 and an integer that is less than 2^62. Up to k = 27 the power is exact, up
 * to 340 it is made of fourteen factors, each rounded to 64 bits. Together they err by less than 3e-18 of the number, where 17
 * digits need 5e-18 to be read back as the same double: half its last bit less half a unit of the last digit. */
static uint64_t driftlab_scaled(uint64_t m, int e, int k) {
    int shift;
    for (; k > 27; k -= 27) {
        m = driftlab_times(m, driftlab_fives[27]);
        shift = m >> 63 == 0;
        m <<= shift;
        e += 90 - shift; /* 10^27 = fives[27] 2^26 */
    }
    for (; k < 0; k += 27) {
        m = driftlab_times(m, 0x9e74d1b791e07e48);
        shift = m >> 63 == 0;
        m <<= shift;
        e -= 89 + shift; /* 10^-27 */
    }
    /* 10^k = fives[k] 2^(b - 63) with b = floor(log2 10^k). */
    shift = -(e + 1 + (k * 217706 >> 16));
    return ((driftlab_times(m, driftlab_fives[k]) >> (shift - 1)) + 1) >> 1;
}

/* Writes a number with so many digits, 9 or 17, and returns its end: without printf, which takes ten times as long and asks the
 * locale for its comma. Only numbers below 2^-1022 are left to it. */
static char *driftlab_digits(char *out, double x, int digits) {
    static const uint64_t least = (uint64_t)1 << 52;
    uint64_t bits, m, whole;
    char text[48];
    int e, place, i, end;
    memcpy(&bits, &x, sizeof bits);
    m = bits & (least - 1);
    e = (int)(bits >> 52 & 0x7ff);
    if (x > -1e9 && x < 1e9 && x == (double)(int32_t)x) {
        /* Numbers of bodies, and a lot of zeros and ones. */
        uint32_t number = (uint32_t)(x < 0 ? -x : x);
        if (x < 0) *out++ = '-';
        for (i = 9; i == 9 || number > 0; number /= 10) text[--i] = (char)('0' + number % 10);
        memcpy(out, text + i, 9);
        return out + 9 - i;
    }
    if (e == 0 || e == 0x7ff) {
        snprintf(text, sizeof text, e == 0 ? "%.*g" : "null", digits, x);
        for (i = 0; text[i]; i++) *out++ = text[i] == ',' ? '.' : text[i]; /* Some locales have commas. */
        return out;
    }
    if (x < 0) *out++ = '-';
    /* floor(log10 |x|) or one less: of |x| = 2^n (1 + f) it is at least (n + f) log10 2, and n + f + 1023 are the upper bits. */
    place = (int)(((bits >> 32 & 0x7fffffff) * 78913 + 12727659445u) >> 38) - 308;
    m = (m | least) << 11;
    e -= 1086;
    whole = driftlab_scaled(m, e, digits - 1 - place);
    if (whole >= (digits == 17 ? 100000000000000000u : 1000000000u)) whole = driftlab_scaled(m, e, digits - 1 - ++place);
    memset(text, '0', sizeof text);
    i = digits == 17 ? 1 : 9; /* Where the digits begin. */
    if (i == 1) driftlab_nine(text, (uint32_t)(whole / 1000000000)); /* A zero and eight of them. */
    driftlab_nine(text + 9, (uint32_t)(whole % 1000000000));
    for (end = 18; text[end - 1] == '0'; end--) {}
    end -= i; /* Without zeros behind the last one. Copies are of one length, and what is too much is written over. */
    if (place < -5 || place >= 17) {
        *out = text[i];
        out[1] = '.';
        memcpy(out + 2, text + i + 1, 16);
        out += end > 1 ? end + 1 : 1;
        *out++ = 'e';
        if (place < 0) *out++ = '-';
        place = place < 0 ? -place : place;
        if (place >= 100) *out++ = (char)('0' + place / 100);
        if (place >= 10) *out++ = (char)('0' + place / 10 % 10);
        *out++ = (char)('0' + place % 10);
        return out;
    }
    if (place < 0) {
        memcpy(out, "0.0000", 6);
        memcpy(out + 1 - place, text + i, 17);
        return out + 1 - place + end;
    }
    memcpy(out, text + i, 17);
    out[place + 1] = '.';
    memcpy(out + place + 2, text + i + place + 1, 17);
    return out + (end > place + 1 ? end : place) + 1;
}

static void driftlab_number(driftlab_text *t, double x, int digits) {
    if (driftlab_room(t, 64)) t->length = (size_t)(driftlab_digits(t->text + t->length, x, digits) - t->text);
}

/* [x, y, z] or so, behind a comma if something stands before it. */
static void driftlab_numbers(driftlab_text *t, const double *x, int count, int digits) {
    char *out, last;
    int i;
    if (!driftlab_room(t, 64 * (size_t)count + 2)) return;
    out = t->text + t->length;
    last = t->length > 0 ? out[-1] : '[';
    if (last != '[' && last != ':') *out++ = ',';
    for (i = 0; i < count; i++) {
        *out++ = i > 0 ? ',' : '[';
        out = driftlab_digits(out, x[i], digits);
    }
    *out++ = ']';
    t->length = (size_t)(out - t->text);
}

static void driftlab_key(driftlab_text *t, const char *key, double x, int digits) {
    driftlab_say(t, ",\"");
    driftlab_say(t, key);
    driftlab_say(t, "\":");
    driftlab_number(t, x, digits);
}

static void driftlab_list(driftlab_text *t, const char *key, const driftlab_text *list) {
    driftlab_say(t, key);
    driftlab_say(t, "[");
    if (list->length > 0) driftlab_put(t, list->text, list->length);
    driftlab_say(t, "]");
}

/* Ends what is open. */
static void driftlab_settle(driftlab *d) {
    driftlab_text *open = d->open;
    if (open != NULL && open != &d->header) {
        if (d->inner == 1) driftlab_say(open, open == &d->last ? "}]" : "]");
        if (open == &d->last && d->keys.length > 0) driftlab_put(open, d->keys.text, d->keys.length);
        driftlab_say(open, "}");
    }
    if (open == &d->last) {
        int i;
        for (i = 0; i < 2; i++) {
            driftlab_text *list = i == 0 ? &d->lists[d->last_list] : &d->all[d->last_list];
            if (i == 1 && (!d->is_socket || !d->begun)) break;
            if (list->length > 0) driftlab_put(list, ",", 1);
            driftlab_put(list, d->last.text, d->last.length);
        }
    }
    d->open = NULL;
    d->inner = 0;
}

#ifdef DRIFTLAB_PROBE_SOCKETS
/* A socket with somebody who listens, or -1. Waits 5 ms at most. */
static int driftlab_connect(const char *address) {
    struct sockaddr_un path;
    struct sockaddr_in place;
    int is_unix = strncmp(address, "unix:", 5) == 0, made, error = 0;
    int fd = socket(is_unix ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return -1;
#ifdef SO_NOSIGPIPE
    made = 1;
    setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &made, sizeof made);
#endif
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    memset(&path, 0, sizeof path);
    memset(&place, 0, sizeof place);
    if (is_unix) {
        path.sun_family = AF_UNIX;
        strncpy(path.sun_path, address + 5, sizeof path.sun_path - 1);
        made = connect(fd, (struct sockaddr *)&path, sizeof path);
    } else {
        const char *port = strrchr(address, ':');
        place.sin_family = AF_INET;
        place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        place.sin_port = htons((unsigned short)atoi(port + 1));
        made = connect(fd, (struct sockaddr *)&place, sizeof place);
    }
    if (made != 0 && errno == EINPROGRESS) {
        struct pollfd ready;
        socklen_t size = sizeof error;
        ready.fd = fd;
        ready.events = POLLOUT;
        made = poll(&ready, 1, 5) == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0 ? 0 : -1;
    }
    if (made != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Looks for a reader once a second, and gives him the header and all that he has missed. */
static void driftlab_look(driftlab *d) {
    int i;
    if (!d->is_socket || d->socket >= 0 || time(NULL) == d->tried) return;
    d->tried = time(NULL);
    d->socket = driftlab_connect(d->address);
    if (d->socket < 0) return;
    driftlab_clear(&d->queue);
    driftlab_put(&d->queue, d->header.text, d->header.length);
    for (i = DRIFTLAB_BODIES; i < DRIFTLAB_LISTS; i++) {
        driftlab_clear(&d->lists[i]);
        if (d->all[i].length > 0) driftlab_put(&d->lists[i], d->all[i].text, d->all[i].length);
    }
    d->unsaid = d->lines;
}

/* Writes of what waits as much as is taken without waiting, or waits so many milliseconds. */
static void driftlab_drain(driftlab *d, int patience) {
    while (d->socket >= 0 && d->queue.length > 0) {
        struct pollfd ready;
        size_t i;
        ssize_t sent = d->is_socket ? send(d->socket, d->queue.text, d->queue.length, MSG_NOSIGNAL)
                                    : write(d->socket, d->queue.text, d->queue.length);
        if (sent > 0) {
            d->queue.length -= (size_t)sent;
            memmove(d->queue.text, d->queue.text + sent, d->queue.length);
            continue;
        }
        ready.fd = d->socket;
        ready.events = POLLOUT;
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (patience > 0 && poll(&ready, 1, patience) == 1) continue;
            return;
        }
        /* The reader has gone, and what waits is lost. */
        for (i = 0; i < d->queue.length; i++) d->lost += d->queue.text[i] == '\n';
        driftlab_clear(&d->queue);
        close(d->socket);
        d->socket = -1;
    }
}
#endif

driftlab *driftlab_open(const char *target, const char *engine, const char *version, double time_step, double gravity_x,
                        double gravity_y) {
    driftlab *d = (driftlab *)calloc(1, sizeof *d);
    if (d == NULL) return NULL;
    d->socket = -1;
#ifdef DRIFTLAB_PROBE_SOCKETS
    if (strncmp(target, "unix:", 5) == 0 || strncmp(target, "tcp:127.0.0.1:", 14) == 0) {
        d->is_socket = 1;
        d->address = (char *)malloc(strlen(target) + 1);
        if (d->address != NULL) strcpy(d->address, target);
    } else if (strcmp(target, "-") == 0) {
        struct stat what;
        if (fstat(1, &what) == 0 && S_ISFIFO(what.st_mode)) {
            d->socket = 1;
            fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
        }
    }
#endif
#ifdef SIGPIPE
    if (strcmp(target, "-") == 0) {
        /* A reader who goes must not end the game. */
        void (*before)(int) = signal(SIGPIPE, SIG_IGN);
        if (before != SIG_DFL && before != SIG_ERR) signal(SIGPIPE, before);
    }
#endif
    if (!d->is_socket && d->socket < 0) d->file = strcmp(target, "-") == 0 ? stdout : fopen(target, "wb");
    if (d->is_socket ? d->address == NULL : d->socket < 0 && d->file == NULL) {
        free(d);
        return NULL;
    }
    d->digits = 17;
    d->gravity[0] = gravity_x;
    d->gravity[1] = gravity_y;
    d->open = &d->header;
    driftlab_say(&d->header, "{\"format\":\"driftlab-recording/1\",\"engine\":{\"name\":");
    driftlab_name(&d->header, engine);
    if (version != NULL) {
        driftlab_say(&d->header, ",\"version\":");
        driftlab_name(&d->header, version);
    }
    driftlab_say(&d->header, "}");
    driftlab_key(&d->header, "time_step", time_step, 17);
    return d;
}

void driftlab_float(driftlab *d) {
    if (d == NULL || d->begun || d->digits == 9) return;
    d->digits = 9;
    driftlab_say(&d->header, ",\"precision\":\"f32\"");
}

void driftlab_more(driftlab *d, const char *keys) {
    if (d == NULL || d->open == NULL) return;
    if (d->open != &d->last && d->inner == 1) {
        driftlab_say(d->open, "]");
        d->inner = 2;
    }
    driftlab_say(d->open, ",");
    driftlab_say(d->open, keys);
}

void driftlab_world(driftlab *d, const char *keys) {
    if (d == NULL || d->begun) return;
    driftlab_say(&d->scene, ",");
    driftlab_say(&d->scene, keys);
}

/* Begins the description of a body, a joint or a spring. */
static void driftlab_describe(driftlab *d, int list) {
    driftlab_settle(d);
    driftlab_clear(&d->last);
    driftlab_clear(&d->keys);
    d->open = &d->last;
    d->last_list = list;
}

int driftlab_body(driftlab *d, const char *name, const char *kind, double x, double y, double angle, double mass,
                  double inertia) {
    double place[2];
    size_t at;
    if (d == NULL) return 0;
    driftlab_describe(d, DRIFTLAB_BODIES);
    at = d->names.length;
    driftlab_put(&d->name_at, (const char *)&at, sizeof at);
    driftlab_name(&d->names, name);
    driftlab_put(&d->names, "", 1);
    place[0] = x;
    place[1] = y;
    driftlab_say(&d->last, "{\"name\":");
    driftlab_name(&d->last, name);
    driftlab_say(&d->last, ",\"type\":");
    driftlab_name(&d->last, kind);
    driftlab_say(&d->last, ",\"position\":");
    driftlab_numbers(&d->last, place, 2, d->digits);
    driftlab_key(&d->last, "angle", angle, d->digits);
    if (strcmp(kind, "dynamic") == 0) {
        driftlab_key(&d->last, "mass", mass, d->digits);
        if (inertia > 0) driftlab_key(&d->last, "inertia", inertia, d->digits);
    }
    return d->bodies++;
}

/* Whether a body is being described. */
static int driftlab_in_body(const driftlab *d) {
    return d != NULL && d->open == &d->last && d->last_list == DRIFTLAB_BODIES;
}

void driftlab_moving(driftlab *d, double v_x, double v_y, double omega) {
    double v[2];
    if (!driftlab_in_body(d)) return;
    v[0] = v_x;
    v[1] = v_y;
    driftlab_say(&d->keys, ",\"velocity\":");
    driftlab_numbers(&d->keys, v, 2, d->digits);
    driftlab_key(&d->keys, "angular_velocity", omega, d->digits);
}

void driftlab_collides(driftlab *d, int collides) {
    if (!driftlab_in_body(d)) return;
    driftlab_say(&d->keys, collides ? ",\"collides\":true" : ",\"collides\":false");
}

void driftlab_filter(driftlab *d, unsigned categories, unsigned mask, int group) {
    if (!driftlab_in_body(d)) return;
    driftlab_key(&d->keys, "categories", categories, 17);
    driftlab_key(&d->keys, "mask", mask, 17);
    driftlab_key(&d->keys, "group", group, 17);
}

static void driftlab_shape(driftlab *d, const char *name, double x, double y) {
    double place[2];
    place[0] = x;
    place[1] = y;
    driftlab_say(&d->last, d->inner == 0 ? ",\"shapes\":[{\"shape\":\"" : "},{\"shape\":\"");
    d->inner = 1;
    driftlab_say(&d->last, name);
    driftlab_say(&d->last, "\",\"offset\":");
    driftlab_numbers(&d->last, place, 2, d->digits);
}

void driftlab_circle(driftlab *d, double radius, double x, double y) {
    if (!driftlab_in_body(d)) return;
    driftlab_shape(d, "circle", x, y);
    driftlab_key(&d->last, "radius", radius, d->digits);
}

void driftlab_box(driftlab *d, double width, double height, double x, double y, double angle) {
    double size[2];
    if (!driftlab_in_body(d)) return;
    size[0] = width;
    size[1] = height;
    driftlab_shape(d, "box", x, y);
    driftlab_say(&d->last, ",\"size\":");
    driftlab_numbers(&d->last, size, 2, d->digits);
    driftlab_key(&d->last, "angle", angle, d->digits);
}

void driftlab_polygon(driftlab *d, const double *vertices, int count) {
    int i;
    if (!driftlab_in_body(d)) return;
    driftlab_shape(d, "polygon", 0, 0);
    driftlab_say(&d->last, ",\"vertices\":[");
    for (i = 0; i < count; i++) driftlab_numbers(&d->last, vertices + 2 * i, 2, d->digits);
    driftlab_say(&d->last, "]");
}

void driftlab_rounded_polygon(driftlab *d, const double *vertices, int count, double radius) {
    if (!driftlab_in_body(d)) return;
    driftlab_polygon(d, vertices, count);
    driftlab_key(&d->last, "radius", radius, d->digits);
}

void driftlab_half_plane(driftlab *d, double normal_x, double normal_y, double x, double y) {
    double normal[2];
    if (!driftlab_in_body(d)) return;
    normal[0] = normal_x;
    normal[1] = normal_y;
    driftlab_shape(d, "half_plane", x, y);
    driftlab_say(&d->last, ",\"normal\":");
    driftlab_numbers(&d->last, normal, 2, d->digits);
}

void driftlab_surface(driftlab *d, double friction, double restitution) {
    if (!driftlab_in_body(d)) return;
    driftlab_key(&d->last, "friction", friction, d->digits);
    driftlab_key(&d->last, "restitution", restitution, d->digits);
}

/* Begins a joint or a spring between two bodies, up to their names. */
static int driftlab_between(driftlab *d, int list, const char *begin, int a, int b) {
    int i, pair[2];
    if (d == NULL || a < 0 || b < 0 || a >= d->bodies || b >= d->bodies) return 0;
    driftlab_describe(d, list);
    pair[0] = a, pair[1] = b;
    driftlab_say(&d->last, "{");
    if (begin != NULL) {
        driftlab_say(&d->last, "\"joint\":");
        driftlab_name(&d->last, begin);
        driftlab_say(&d->last, ",");
    }
    driftlab_say(&d->last, "\"bodies\":[");
    for (i = 0; i < 2; i++) {
        size_t name;
        memcpy(&name, d->name_at.text + (size_t)pair[i] * sizeof name, sizeof name);
        if (i > 0) driftlab_say(&d->last, ",");
        driftlab_say(&d->last, d->names.text + name);
    }
    driftlab_say(&d->last, "]");
    return 1;
}

static void driftlab_anchors(driftlab *d, double a_x, double a_y, double b_x, double b_y) {
    double at[4];
    at[0] = a_x, at[1] = a_y, at[2] = b_x, at[3] = b_y;
    driftlab_say(&d->last, ",\"anchor_a\":");
    driftlab_numbers(&d->last, at, 2, d->digits);
    driftlab_say(&d->last, ",\"anchor_b\":");
    driftlab_numbers(&d->last, at + 2, 2, d->digits);
}

int driftlab_joint(driftlab *d, const char *kind, int a, int b, double a_x, double a_y, double b_x, double b_y) {
    if (!driftlab_between(d, DRIFTLAB_LINKS, kind, a, b)) return -1;
    driftlab_anchors(d, a_x, a_y, b_x, b_y);
    return d->joints++;
}

static int driftlab_pulls(driftlab *d, double stiffness, double damping, const char *rest, double at_rest) {
    driftlab_key(&d->last, "stiffness", stiffness, d->digits);
    driftlab_key(&d->last, "damping", damping, d->digits);
    driftlab_key(&d->last, rest, at_rest, d->digits);
    return d->springs++;
}

int driftlab_spring(driftlab *d, int a, int b, double a_x, double a_y, double b_x, double b_y, double stiffness, double damping,
                    double rest_length) {
    if (!driftlab_between(d, DRIFTLAB_SPRINGS, NULL, a, b)) return -1;
    driftlab_anchors(d, a_x, a_y, b_x, b_y);
    return driftlab_pulls(d, stiffness, damping, "rest_length", rest_length);
}

int driftlab_torsion_spring(driftlab *d, int a, int b, double stiffness, double damping, double rest_angle) {
    if (!driftlab_between(d, DRIFTLAB_SPRINGS, NULL, a, b)) return -1;
    driftlab_anchors(d, 0, 0, 0, 0); /* where it is drawn */
    return driftlab_pulls(d, stiffness, damping, "rest_angle", rest_angle);
}

void driftlab_knows(driftlab *d, int lists) {
    if (d != NULL) d->knows |= lists;
}

/* Completes the first line. */
static void driftlab_begin(driftlab *d) {
    int i;
    driftlab_settle(d);
    driftlab_say(&d->header, ",\"scene\":{\"gravity\":");
    driftlab_numbers(&d->header, d->gravity, 2, 17);
    driftlab_list(&d->header, ",\"bodies\":", &d->lists[DRIFTLAB_BODIES]);
    driftlab_list(&d->header, ",\"joints\":", &d->lists[DRIFTLAB_LINKS]);
    if (d->springs > 0) driftlab_list(&d->header, ",\"springs\":", &d->lists[DRIFTLAB_SPRINGS]);
    if (d->scene.length > 0) driftlab_put(&d->header, d->scene.text, d->scene.length);
    driftlab_say(&d->header, "}}\n");
    for (i = 0; i < DRIFTLAB_LISTS; i++) driftlab_clear(&d->lists[i]);
    d->begun = 1;
    if (d->file != NULL) d->failed |= fwrite(d->header.text, 1, d->header.length, d->file) != d->header.length;
    if (!d->is_socket && d->socket >= 0) driftlab_put(&d->queue, d->header.text, d->header.length);
}

void driftlab_step(driftlab *d, double time) {
    int i;
    if (d == NULL) return;
    if (!d->begun) driftlab_begin(d);
    driftlab_settle(d);
    for (i = 0; i < DRIFTLAB_OF_A_STEP; i++) driftlab_clear(&d->lists[i]);
    d->posed = 0;
    d->time = time;
}

void driftlab_pose(driftlab *d, double x, double y, double angle) {
    double q[3];
    if (d == NULL) return;
    q[0] = x, q[1] = y, q[2] = angle;
    driftlab_numbers(&d->lists[DRIFTLAB_Q], q, 3, d->digits);
    d->posed++;
}

void driftlab_velocity(driftlab *d, double v_x, double v_y, double omega) {
    double v[3];
    if (d == NULL) return;
    v[0] = v_x, v[1] = v_y, v[2] = omega;
    driftlab_numbers(&d->lists[DRIFTLAB_V], v, 3, d->digits);
}

void driftlab_gone(driftlab *d) {
    if (d == NULL) return;
    driftlab_say(&d->lists[DRIFTLAB_Q], d->posed > 0 ? ",null" : "null");
    driftlab_say(&d->lists[DRIFTLAB_V], d->lists[DRIFTLAB_V].length > 0 ? ",null" : "null");
    d->posed++;
}

static void driftlab_went(driftlab *d, int list, int number) {
    int i;
    for (i = 0; i < (d->is_socket ? 2 : 1); i++) {
        driftlab_text *t = i == 0 ? &d->lists[list] : &d->all[list];
        if (t->length > 0) driftlab_put(t, ",", 1);
        driftlab_number(t, number, 17);
    }
}

void driftlab_body_went(driftlab *d, int body) {
    if (d != NULL) driftlab_went(d, DRIFTLAB_WENT_BODIES, body);
}

void driftlab_joint_went(driftlab *d, int joint) {
    if (d != NULL) driftlab_went(d, DRIFTLAB_WENT_LINKS, joint);
}

void driftlab_spring_went(driftlab *d, int spring) {
    if (d != NULL) driftlab_went(d, DRIFTLAB_WENT_SPRINGS, spring);
}

/* [body, p_x, p_y, L] in a list. */
static void driftlab_push(driftlab *d, driftlab_text *t, int body, double p_x, double p_y, double moment) {
    double x[4];
    x[0] = body, x[1] = p_x, x[2] = p_y, x[3] = moment;
    driftlab_numbers(t, x, 4, d->digits);
}

static void driftlab_who_acted(driftlab *d, const char *kind, int number) {
    driftlab_settle(d);
    d->open = &d->lists[DRIFTLAB_ACTED];
    driftlab_say(d->open, d->open->length > 0 ? ",{" : "{");
    driftlab_say(d->open, kind);
    driftlab_number(d->open, number, 17);
}

void driftlab_acted(driftlab *d, int joint) {
    if (d != NULL) driftlab_who_acted(d, "\"joint\":", joint);
}

void driftlab_spring_acted(driftlab *d, int spring) {
    if (d != NULL) driftlab_who_acted(d, "\"spring\":", spring);
}

void driftlab_impulse(driftlab *d, int body, double p_x, double p_y, double moment) {
    if (d == NULL || d->open != &d->lists[DRIFTLAB_ACTED] || d->inner == 2) return;
    if (d->inner == 0) driftlab_say(d->open, ",\"on\":[");
    d->inner = 1;
    driftlab_push(d, d->open, body, p_x, p_y, moment);
}

void driftlab_contact(driftlab *d, int a, int b, double x, double y, double n_x, double n_y, double gap, double p_n, double p_t) {
    double numbers[3];
    if (d == NULL) return;
    driftlab_settle(d);
    d->open = &d->lists[DRIFTLAB_TOUCH];
    driftlab_say(d->open, d->open->length > 0 ? ",{\"bodies\":[" : "{\"bodies\":[");
    driftlab_number(d->open, a, 17);
    driftlab_put(d->open, ",", 1);
    driftlab_number(d->open, b, 17);
    driftlab_say(d->open, "],\"point\":");
    numbers[0] = x, numbers[1] = y;
    driftlab_numbers(d->open, numbers, 2, d->digits);
    driftlab_say(d->open, ",\"normal\":");
    numbers[0] = n_x, numbers[1] = n_y;
    driftlab_numbers(d->open, numbers, 2, d->digits);
    driftlab_key(d->open, "gap", gap, d->digits);
    driftlab_say(d->open, ",\"impulse\":");
    numbers[0] = p_n, numbers[1] = p_t, numbers[2] = 0;
    driftlab_numbers(d->open, numbers, 3, d->digits);
}

void driftlab_external(driftlab *d, int body, double p_x, double p_y, double moment) {
    if (d != NULL) driftlab_push(d, &d->lists[DRIFTLAB_EXTERNAL], body, p_x, p_y, moment);
}

void driftlab_hand(driftlab *d, int body, double p_x, double p_y, double moment) {
    if (d != NULL) driftlab_push(d, &d->lists[DRIFTLAB_HAND], body, p_x, p_y, moment);
}

/* What came or went, if anything did: bodies, joints and springs, three lists in this order. */
static void driftlab_change(driftlab_text *t, const char *key, const driftlab_text *lists) {
    if (lists[0].length == 0 && lists[1].length == 0 && lists[2].length == 0) return;
    driftlab_say(t, key);
    driftlab_list(t, "{\"bodies\":", &lists[0]);
    driftlab_list(t, ",\"joints\":", &lists[1]);
    if (lists[2].length > 0) driftlab_list(t, ",\"springs\":", &lists[2]);
    driftlab_say(t, "}");
}

/* Puts the line together. */
static void driftlab_compose(driftlab *d) {
    driftlab_text *t = &d->line, *lists = d->lists;
    driftlab_clear(t);
    driftlab_say(t, "{\"t\":");
    driftlab_number(t, d->time, 17);
    driftlab_list(t, ",\"q\":", &lists[DRIFTLAB_Q]);
    if (lists[DRIFTLAB_V].length > 0) driftlab_list(t, ",\"v\":", &lists[DRIFTLAB_V]);
    if (d->knows & DRIFTLAB_JOINTS || lists[DRIFTLAB_ACTED].length > 0) driftlab_list(t, ",\"acted\":", &lists[DRIFTLAB_ACTED]);
    if (d->knows & DRIFTLAB_CONTACTS || lists[DRIFTLAB_TOUCH].length > 0)
        driftlab_list(t, ",\"contacts\":", &lists[DRIFTLAB_TOUCH]);
    if (lists[DRIFTLAB_EXTERNAL].length > 0) driftlab_list(t, ",\"external\":", &lists[DRIFTLAB_EXTERNAL]);
    if (lists[DRIFTLAB_HAND].length > 0) driftlab_list(t, ",\"hand\":", &lists[DRIFTLAB_HAND]);
    driftlab_change(t, ",\"came\":", &lists[DRIFTLAB_BODIES]);
    driftlab_change(t, ",\"went\":", &lists[DRIFTLAB_WENT_BODIES]);
    if (d->unsaid > 0) {
        driftlab_say(t, ",\"lost\":");
        driftlab_number(t, (double)d->unsaid, 17);
    }
    driftlab_say(t, "}\n");
}

void driftlab_end_step(driftlab *d) {
    int taken = 0, i;
    if (d == NULL || !d->begun) return;
    driftlab_settle(d);
#ifdef DRIFTLAB_PROBE_SOCKETS
    driftlab_look(d);
#endif
    driftlab_compose(d);
    for (i = 0; i < DRIFTLAB_LISTS; i++) d->failed |= d->lists[i].failed;
    if (!d->failed && !d->line.failed && d->file != NULL) {
        /* Passed on at once, so that a crash of the game loses nothing, and so that the file can be watched. */
        taken = fwrite(d->line.text, 1, d->line.length, d->file) == d->line.length && fflush(d->file) == 0;
        d->failed |= !taken;
    }
#ifdef DRIFTLAB_PROBE_SOCKETS
    driftlab_drain(d, 0);
    if (!d->failed && !d->line.failed && d->socket >= 0 && d->queue.length + d->line.length <= DRIFTLAB_QUEUE) {
        driftlab_put(&d->queue, d->line.text, d->line.length);
        taken = !d->queue.failed;
        driftlab_drain(d, 0);
    }
#endif
    d->lines++;
    if (!taken) {
        d->lost++;
        d->unsaid++;
        return;
    }
    d->unsaid = 0;
    for (i = DRIFTLAB_OF_A_STEP; i < DRIFTLAB_LISTS; i++) driftlab_clear(&d->lists[i]);
}

long driftlab_lost(const driftlab *d) { return d == NULL ? 0 : d->lost; }

long driftlab_close(driftlab *d) {
    long lost;
    int i;
    if (d == NULL) return 0;
    if (!d->begun) driftlab_begin(d);
#ifdef DRIFTLAB_PROBE_SOCKETS
    driftlab_drain(d, 1000);
    if (d->socket >= 0 && d->queue.length == 0 && d->unsaid > 0 && !d->failed && !d->line.failed) {
        /* The last line, which says how many were lost before it: the end of the run is not missing without a word. */
        driftlab_put(&d->queue, d->line.text, d->line.length);
        driftlab_drain(d, 1000);
        if (d->socket >= 0 && d->queue.length == 0) d->lost--;
    }
    if (d->socket > 1) close(d->socket);
#endif
    if (d->file != NULL && (d->file == stdout ? fflush(d->file) : fclose(d->file)) != 0) d->failed = 1;
    lost = d->failed ? -1 : d->lost;
    for (i = 0; i < DRIFTLAB_LISTS; i++) {
        free(d->lists[i].text);
        free(d->all[i].text);
    }
    free(d->header.text), free(d->queue.text), free(d->line.text), free(d->last.text);
    free(d->keys.text), free(d->scene.text);
    free(d->names.text), free(d->name_at.text), free(d->address);
    free(d);
    return lost;
}

#endif /* DRIFTLAB_PROBE_IMPLEMENTATION */
