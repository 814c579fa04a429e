/* Writes doubles and floats as the header does and reads them back by strtod: those that are random, and those next to powers of
 * ten and of two. Ends with 0 if each is the same as before. The number of random ones may be given. */
#define DRIFTLAB_PROBE_IMPLEMENTATION
#include "driftlab_probe.h"

#include <math.h>

static long tried = 0, wrong = 0;

static uint64_t next(void) {
    static uint64_t state = 88172645463325252u; /* xorshift64 [Marsaglia 2003] */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void both(double x, int digits) {
    char text[80];
    double read;
    memset(text, '#', sizeof text);
    *driftlab_digits(text, x, digits) = 0;
    read = digits == 17 ? strtod(text, NULL) : (double)strtof(text, NULL);
    tried++;
    if (read != x && wrong++ < 10) printf("%.17g was written as %s\n", x, text);
    if (strlen(text) > 40 && wrong++ < 10) printf("%s is long\n", text);
}

/* The numbers around one, by their last bits. */
static void around(double x) {
    uint64_t bits, moved;
    int i;
    memcpy(&bits, &x, sizeof bits);
    for (i = -200; i <= 200; i++) {
        moved = bits + (uint64_t)(int64_t)i;
        memcpy(&x, &moved, sizeof x);
        if (x - x == 0) both(x, 17), both(-x, 17);
    }
}

int main(int count, char **words) {
    long i, most = count > 1 ? atol(words[1]) : 10000000;
    int k;
    for (i = 0; i < most; i++) {
        uint64_t bits = next();
        uint32_t half = (uint32_t)next();
        double x;
        float y;
        memcpy(&x, &bits, sizeof x);
        memcpy(&y, &half, sizeof y);
        if (x - x == 0) both(x, 17);
        if (y - y == 0) both(y, 9);
        both((double)(int64_t)bits * 1e-18, 17);
    }
    for (k = -323; k <= 308; k++) {
        char text[16];
        sprintf(text, "1e%d", k);
        around(strtod(text, NULL));
    }
    for (k = -1074; k < 1024; k++) around(ldexp(1, k));
    /* Decimals of few digits, as a person writes them. */
    for (i = 0; i < most / 10; i++) both((double)(next() % 1000000) / pow(10, (double)(next() % 12)), 17);
    printf("%ld numbers, %ld wrong\n", tried, wrong);
    return wrong != 0;
}
