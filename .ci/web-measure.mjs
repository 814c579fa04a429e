// What the page costs, for docs/WEB.md: node .ci/web-measure.mjs [MINUTES]. Needs web/dist/ and Chromium; not part of `.ci/run`.
//
// First the time of a frame on the page's main thread, by scenes; then, over so many minutes (10), the memory of the first screen while
// it plays, and what a paused page and one in the background take.

import { join } from "node:path";
import { Browser, pause, serve } from "./web-browser.mjs";

const root = new URL("..", import.meta.url).pathname;
const minutes = Number(process.argv[2] ?? 10);
const { server, address } = await serve(join(root, "web/dist"));
const browser = await Browser.start();

async function opened(fragment, [width, height] = [1280, 800]) {
    const page = await browser.page(width, height);
    await page.open(`${address}sandbox.html?probe${fragment}`);
    await page.until("a first frame", (state) => state.frames > 2);
    return page;
}

const close = (page) => browser.send("Target.closeTarget", { targetId: page.target });

/// Median and 99th percentile of the times of frames, ms, their number a second, and steps in one, while the time of the scene goes
/// from one value to another, s.
async function frames(page, [from, to]) {
    const before = await page.until("the start", (state) => state.t >= from, 120);
    await page.value("driftlab.frames.length = 0");
    const begun = Date.now();
    const after = await page.until("the end", (state) => state.t >= to, 300);
    const seconds = (Date.now() - begun) / 1000;
    const costs = (await page.value("driftlab.frames.map((frame) => frame[1])")).sort((a, b) => a - b);
    const at = (share) => costs[Math.min(costs.length - 1, Math.floor(share * costs.length))] ?? NaN;
    return { median: at(0.5), worst: at(0.99), rate: costs.length / seconds, steps: (after.t - before.t) / after.h / costs.length };
}

for (const [name, fragment, times] of [
    ["six-link chain, twice", "", [1, 6]],
    ["210 boxes at rest", "#scene=pyramid-20", [0.3, 1.9]],
    ["210 boxes, struck", "#scene=pyramid-20", [2, 5]],
]) {
    const page = await opened(fragment);
    const { median, worst, rate, steps } = await frames(page, times);
    console.log(`${name}: ${median.toFixed(1)} ms a frame (99 %: ${worst.toFixed(1)}), ${rate.toFixed(0)} frames/s, ${steps.toFixed(1)} steps a frame`);
    await close(page);
}

// In a small window, where software draws frames as fast as a graphics card would in a large one.
const page = await opened("", [400, 300]);
for (let minute = 0; minute <= minutes; minute += 1) {
    const { heap } = await page.costs();
    const memory = await page.value("wasm_memory.buffer.byteLength");
    console.log(`${minute} min: program ${(memory / 1e6).toFixed(1)} MB, scripts ${(heap / 1e6).toFixed(1)} MB, t = ${(await page.state()).t.toFixed(0)} s, ${(await page.state()).frames} frames`);
    if (minute < minutes) await pause(60000);
}
await page.key(" ", "Space", 32);
await pause(5000);
async function idle(name) {
    const before = await page.costs();
    await pause(10000);
    const after = await page.costs();
    console.log(`${name}: ${(100 * (after.seconds - before.seconds)).toFixed(2)} ms of the main thread per second`);
}
await idle("paused");
await page.key(" ", "Space", 32);
const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
await browser.send("Target.activateTarget", { targetId });
await pause(2000);
await idle("in the background");
await browser.stop();
server.close();
process.exit(0);
