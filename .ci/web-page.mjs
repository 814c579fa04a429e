// The page web/dist/ in a real browser: what a person does there, and what comes of it. Pictures go to target/web/. With names
// (mouse, touch, sizes, keys, kept, link, course, offline, policy, missing) only those parts.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Browser, pause, serve } from "./web-browser.mjs";

const root = new URL("..", import.meta.url).pathname;
const pictures = join(root, "target/web");
rmSync(pictures, { recursive: true, force: true });
mkdirSync(pictures, { recursive: true });
const shot = (page, name) => page.picture(join(pictures, `${name}.png`));
const say = (text) => console.log(`   ${text}`);

/// Modifiers in the protocol.
const CTRL = 2;
/// The slider of the first parameter in a window of 1280×800 points: its left end, its right end, its height.
const SLIDER = [1072, 1148, 409];

/// The button that opens the list of scenes.
const SCENES = [52, 20];

const apart = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);
const tip = (state) => state.seen.at(-1);

const { server, address } = await serve(join(root, "web/dist"));
const browser = await Browser.start();
const errors = [];

/// Distance in points within which the end of the chain follows the pointer: a soft spring pulls it, and the chain hangs on it.
const FOLLOWS = 60;

/// Takes hold of the chain's end while the world stands still, and lets it go on; returns the place.
async function held(page, press) {
    await page.key(" ", "Space", 32);
    await page.until("a pause", (state) => !state.playing);
    await pause(300);
    const at = tip(await page.state());
    await press([at]);
    await pause(300);
    await page.key(" ", "Space", 32);
    await page.until("playing", (state) => state.playing);
    return at;
}

/// Waits until the page draws nothing, what it computes for the stability map included; returns the share of time that its main
/// thread then takes.
async function atRest(page) {
    const WATCHED = 2000;
    for (const end = Date.now() + 30000; Date.now() < end; ) {
        const [state, before] = [await page.state(), await page.costs()];
        await pause(WATCHED);
        const [later, after] = [await page.state(), await page.costs()];
        if (later.frames === state.frames) return 1e3 * (after.seconds - before.seconds) / WATCHED;
    }
    assert.fail("the page goes on drawing");
}

/// Opens the page with a probe, and waits for its first picture.
async function opened(width, height, options, fragment = "") {
    const page = await browser.page(width, height, options);
    const begun = Date.now();
    await page.open(`${address}sandbox.html?probe${fragment}`);
    const state = await page.until("a first frame", (state) => state.frames > 2);
    say(`first frame after ${Date.now() - begun} ms`);
    return { page, state };
}

async function closed(page, name) {
    errors.push(...page.console.map((line) => `${name}: ${line}`));
    await browser.send("Target.closeTarget", { targetId: page.target });
}

async function byMouse() {
    const { page } = await opened(1280, 800);
    await pause(500);
    await shot(page, "first");

    say("drag the chain's end");
    let state = await page.state();
    assert.equal(state.title, "six-link-chain");
    assert.equal(state.panes, 2);
    const hold = await held(page, page.press.bind(page));
    const to = [150, 330];
    await page.move(to);
    await page.until("the end follows", (state) => apart(tip(state), to) < FOLLOWS);
    await shot(page, "dragged");
    await page.release();
    const let_go = await page.until("the end falls", (state) => apart(tip(state), to) > FOLLOWS);
    say(`the end, held at ${hold.map(Math.round)}, followed to ${to}, and fell to ${tip(let_go).map(Math.round)}`);

    say("press 4");
    state = await page.until("the chain drifts apart", (state) => state.joint_error > 1e-6);
    await page.key("4", "Digit4", 52);
    const better = await page.until("the error falls", (now) => now.scheme !== state.scheme && now.joint_error < 1e-2 * state.joint_error);
    say(`${state.scheme}: ${state.joint_error.toExponential(1)} m, ${better.scheme}: ${better.joint_error.toExponential(1)} m`);
    await shot(page, "scheme");
    const spoken = await page.value('document.getElementById("spoken").textContent');
    assert.match(spoken, /six-link-chain: Post-stabilization/, `a screen reader hears '${spoken}'`);

    say("move α");
    await page.key("2", "Digit2", 50);
    state = await page.until("a scheme with α", (state) => "alpha" in state.parameters);
    await pause(500);
    await shot(page, "alpha-before");
    const [left, right, y] = SLIDER;
    await page.press([[0.5 * (left + right), y], [right - 10, y], [right - 5, y]]);
    await page.until("α moves", (now) => now.parameters.alpha > 2 * state.parameters.alpha);
    await page.release();
    await shot(page, "alpha");

    say("a paused page draws nothing");
    await page.key(" ", "Space", 32);
    await page.until("a pause", (state) => !state.playing);
    say(`main thread of a paused page: ${(1e3 * await atRest(page)).toFixed(2)} ms per second`);

    say("open a dropped scene, and a pasted one; refuse a broken one");
    await page.drop(400, 300, join(root, "scenes/single-pendulum.json"));
    await page.until("the dropped scene", (state) => state.title === "single-pendulum.json" && state.playing);
    await pause(300);
    await shot(page, "dropped");
    const scene = readFileSync(join(root, "scenes/box-at-rest.json"), "utf8");
    await paste(page, '{ "driftlab": 1');
    await page.until("a refusal", (state) => state.refusal?.[0] === "pasted scene");
    await shot(page, "refused");
    await page.key("Escape", "Escape", 27);
    await page.until("the refusal is closed", (state) => state.refusal === null);
    await paste(page, scene);
    await page.until("the pasted scene", (state) => state.title === "pasted scene");

    say("save as a download");
    const folder = mkdtempSync(join(pictures, "saved-"));
    await browser.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, browserContextId: page.profile });
    await page.control(() => page.key("s", "KeyS", 83, CTRL));
    for (const end = Date.now() + 10000; Date.now() < end && !readdirSync(folder).some((name) => name.endsWith(".json")); ) await pause(100);
    const [saved] = readdirSync(folder);
    assert.ok(saved, "a downloaded file");
    JSON.parse(readFileSync(join(folder, saved), "utf8"));


    say("another size");
    await page.size(900, 600);
    const canvas = () => page.value("[canvas.width, canvas.height]");
    for (const end = Date.now() + 10000; `${await canvas()}` !== "900,600" && Date.now() < end; ) await pause(100);
    assert.deepEqual(await canvas(), [900, 600]);
    await shot(page, "resized");

    say("a page in the background draws nothing");
    await page.until("playing", (state) => state.playing);
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank", browserContextId: page.profile });
    await browser.send("Target.activateTarget", { targetId });
    for (const end = Date.now() + 10000; (await page.value("document.visibilityState")) !== "hidden" && Date.now() < end; ) await pause(100);
    assert.equal(await page.value("document.visibilityState"), "hidden");
    await pause(500);
    say(`main thread of a page in the background: ${(1e3 * await atRest(page)).toFixed(2)} ms per second`);
    await closed(page, "mouse");
}

async function byTouch() {
    const { page } = await opened(1024, 768, { scale: 2, touch: true });
    assert.deepEqual(await page.value("[canvas.width, canvas.height]"), [2048, 1536]);
    await pause(500);
    await shot(page, "touch");

    say("a finger drags");
    const to = [120, 330];
    await held(page, async ([[x, y]]) => {
        await page.touch("touchStart", [[x, y]]);
        for (const way of [10, 20]) {
            await pause(60);
            await page.touch("touchMove", [[x, y + way]]);
        }
    });
    await page.touch("touchMove", [to]);
    await page.until("the end follows the finger", (state) => apart(tip(state), to) < FOLLOWS);
    await page.touch("touchEnd", []);

    say("two fingers scale and move the view");
    const size = (state) => apart(state.seen[1], state.seen[2]);
    await page.key(" ", "Space", 32);
    const state = await page.until("a pause", (state) => !state.playing);
    await page.touch("touchStart", [[200, 300], [300, 300]]);
    await pause(60);
    for (const wide of [60, 70, 80, 90, 100]) {
        await page.touch("touchMove", [[250 - wide, 300], [250 + wide, 300]]);
        await pause(60);
    }
    let grown = await page.until("the view grows", (now) => size(now) > 1.5 * size(state));
    say(`fingers × 2, view × ${(size(grown) / size(state)).toFixed(2)}`);
    await pause(600);
    grown = await page.state();
    await page.touch("touchMove", [[200, 330], [400, 330]]);
    await pause(200);
    await page.until("the view moves", (now) => now.seen[1][1] > grown.seen[1][1] + 15);
    await page.touch("touchEnd", []);
    await shot(page, "pinched");

    say("a finger that rests pushes");
    await page.key(" ", "Space", 32);
    await page.key("f", "KeyF", 70);
    await page.until("playing", (state) => state.playing);
    await pause(300);
    const at = tip(await page.state());
    await page.touch("touchStart", [[at[0] + 15, at[1]]]);
    await pause(900);
    await shot(page, "pushed");
    await page.touch("touchEnd", []);
    const { frames } = await page.state();
    await page.until("the finger is up", (state) => state.frames > frames + 3);

    say("a touched field opens the keyboard, and takes what is typed there");
    await page.tap(...SCENES);
    await page.typing();
    await page.send("Input.insertText", { text: "box at rezt" });
    for (let i = 0; i < 2; i += 1) {
        const stroke = { key: "Backspace", code: "Backspace", windowsVirtualKeyCode: 8 };
        await page.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...stroke, commands: ["deleteBackward"] });
        await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...stroke });
    }
    await page.send("Input.insertText", { text: "st" });
    await pause(300);
    await shot(page, "typed");
    await page.key("Enter", "Enter", 13);
    await page.until("the scene that was searched for", (state) => state.title === "box-at-rest");
    await closed(page, "touch");
}

async function atOtherSizes() {
    for (const [width, height, scale, touch] of [[390, 844, 3, true], [1024, 768, 1, true], [2560, 1440, 1, false]]) {
        const { page } = await opened(width, height, { scale, touch });
        await pause(1500);
        await shot(page, `${width}x${height}`);
        await closed(page, `${width}x${height}`);
    }
}

/// Keys that browsers have for themselves: name, code, number, modifiers.
const OF_BROWSERS = [
    ["r", "KeyR", 82, CTRL], ["p", "KeyP", 80, CTRL], ["d", "KeyD", 68, CTRL], ["q", "KeyQ", 81, CTRL], ["n", "KeyN", 78, CTRL],
    ["F3", "F3", 114, 0], ["F11", "F11", 122, 0], ["F12", "F12", 123, 0],
];

async function byKeys() {
    say("the browser gets its own keys, and the program those of its sheet");
    const { page } = await opened(1280, 800);
    await page.value(`window.seen = []; window.addEventListener("keydown", (event) => setTimeout(() => seen.push([event.code, event.defaultPrevented])), true); canvas.focus()`);
    const strike = async (key) => {
        await page.value("seen.length = 0");
        await page.key(...key);
        for (const end = Date.now() + 5000; Date.now() < end; await pause(30)) {
            const seen = await page.value("seen");
            if (seen.length) return seen[0][1];
        }
        assert.fail(`${key[1]} does not arrive`);
    };
    for (const key of OF_BROWSERS) assert.equal(await strike(key), false, `${key[1]} is the browser's`);
    for (const key of [["s", "KeyS", 83, CTRL], ["k", "KeyK", 75, CTRL], ["F1", "F1", 112, 0]]) {
        assert.equal(await strike(key), true, `${key[1]} is the program's`);
    }
    await page.key("Escape", "Escape", 27);
    await pause(300);
    await page.key("F1", "F1", 112);
    await pause(500);
    await shot(page, "keys");
    await page.key("Escape", "Escape", 27);
    await pause(300);
    await page.key("m", "KeyM", 77);
    await page.until("the pointer is recorded", (state) => state.recording);
    await closed(page, "keys");
}

/// Pastes a text into the page.
const paste = (page, text) => page.value(`(() => { const data = new DataTransfer(); data.setData("text", ${JSON.stringify(text)});
    window.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, cancelable: true })); })()`);

async function keptWork() {
    say("unsaved work: the browser asks before it is left, and it is offered again");
    let { page } = await opened(1280, 800);
    const { profile } = page;
    await page.click(400, 300);
    const isKept = async () => {
        for (const end = Date.now() + 15000; Date.now() < end; await pause(200)) {
            if (await page.value("Object.keys(localStorage).some((key) => key.startsWith('driftlab.unsaved.'))")) return;
        }
        assert.fail("no unsaved work is kept");
    };
    const reloaded = async () => {
        await page.value("window.isOld = true");
        page.send("Page.reload");
        for (const end = Date.now() + 15000; Date.now() < end; await pause(100)) {
            if (!(await page.value("window.isOld").catch(() => true))) break;
        }
        return page.until("a first frame after the reload", (state) => state.frames > 2);
    };
    await reloaded();
    assert.deepEqual(page.questions, [], "nothing is asked where nothing is unsaved");
    await page.click(400, 300);
    const scene = readFileSync(join(root, "scenes/box-at-rest.json"), "utf8");
    await paste(page, scene);
    await page.until("unsaved work", (state) => state.title === "pasted scene" && state.unsaved);
    await isKept();
    page.answer = false;
    page.send("Page.reload");
    for (const end = Date.now() + 10000; Date.now() < end && page.questions.length === 0; ) await pause(100);
    assert.deepEqual(page.questions, ["beforeunload"]);
    assert.equal((await page.state()).title, "pasted scene", "who stays keeps the scene");
    page.answer = true;
    let state = await reloaded();
    assert.equal(page.questions.length, 2);
    assert.equal(state.title, "six-link-chain");
    assert.ok(state.lost, "the work is offered");
    await shot(page, "offered");
    await page.value("canvas.focus()");
    await page.key("Enter", "Enter", 13);
    await page.until("the work is open again", (state) => state.title === "pasted scene" && state.unsaved && !state.lost);

    say("another page does not take the work of an open one, and finds it once that is gone");
    await isKept();
    const other = await browser.page(900, 600, { profile });
    await other.open(`${address}sandbox.html?probe`);
    state = await other.until("a first frame", (state) => state.frames > 2);
    assert.equal(state.lost, null);
    await closed(other, "another page");

    say("a changed link asks before it takes the place of unsaved work, and the page stays");
    await page.value("window.isOld = true; location.hash = '#scene=single-pendulum'");
    state = await page.until("a question", (state) => state.asks);
    assert.equal(state.title, "pasted scene");
    await shot(page, "asked");
    await page.value("canvas.focus()");
    await page.key("Delete", "Delete", 46);
    await page.until("the link's scene", (state) => state.title === "single-pendulum" && !state.unsaved && !state.asks);
    await page.value("location.hash = '#scene=box-at-rest'");
    await page.until("the next link's scene", (state) => state.title === "box-at-rest");
    assert.equal(await page.value("window.isOld"), true, "without loading the page again");

    say("a page that ends without a word leaves its work to the next one");
    await page.click(400, 300);
    await paste(page, scene);
    await page.until("unsaved work", (state) => state.title === "pasted scene" && state.unsaved);
    await isKept();
    await closed(page, "kept");
    page = await browser.page(900, 600, { profile });
    await page.open(`${address}sandbox.html?probe`);
    await page.until("the offer", (state) => state.lost);
    await closed(page, "kept, the next page");
}

/// Once it was open, the page opens without its server, and a new version follows when no tab has the old one open.
async function withoutNetwork() {
    say("the second visit needs no network");
    const folder = mkdtempSync(join(pictures, "offline-"));
    for (const name of readdirSync(join(root, "web/dist"))) copyFileSync(join(root, "web/dist", name), join(folder, name));
    let own = await serve(folder);
    const port = own.server.address().port;
    const page = await browser.page(900, 600);
    const visit = async () => {
        await page.open(`${own.address}sandbox.html?probe`);
        return page.until("a first frame", (state) => state.frames > 2);
    };
    const stop = () => { own.server.closeAllConnections(); own.server.close(); };
    await visit();
    await page.value("navigator.serviceWorker.ready.then(() => true)");
    stop();
    await visit();
    await page.open(`${own.address}`);
    let figures = 0;
    for (const end = Date.now() + 10000; Date.now() < end && figures <= 3; await pause(100)) {
        figures = await page.value("document.querySelectorAll('iframe[data-driftlab]').length");
    }
    assert.ok(figures > 3, "the course, without its server");
    say("a new version is shown once the old one is no longer open");
    const html = join(folder, "sandbox.html"), worker = join(folder, "offline.js");
    writeFileSync(html, readFileSync(html, "utf8").replace("<title>driftlab", "<title>new driftlab"));
    writeFileSync(worker, readFileSync(worker, "utf8").replace(/VERSION = "/, 'VERSION = "new-'));
    own = await serve(folder, {}, port);
    let title = "";
    for (const end = Date.now() + 30000; Date.now() < end && title !== "new driftlab"; await pause(1000)) {
        await visit();
        title = await page.value("document.title");
        await page.open("about:blank");
    }
    assert.equal(title, "new driftlab");
    stop();
    // The visits without a server are refusals on the console.
    await browser.send("Target.closeTarget", { targetId: page.target });
    rmSync(folder, { recursive: true });
}

/// The policy that docs/WEB.md gives for the server's header.
const POLICY = readFileSync(join(root, "docs/WEB.md"), "utf8").match(/^Content-Security-Policy: (.*)$/m)[1];

async function underAPolicy() {
    say("the page runs under the policy that it brings and that docs/WEB.md gives for the server");
    const own = await serve(join(root, "web/dist"), { "content-security-policy": POLICY });
    const page = await browser.page(900, 600);
    await page.send("Page.addScriptToEvaluateOnNewDocument", {
        source: "const compile = WebAssembly.compileStreaming; WebAssembly.compileStreaming = (...given) => { window.streams = true; return compile(...given); };",
    });
    for (const name of ["sandbox.html?probe", "sandbox.html?probe&embed#scene=box-at-rest"]) {
        await page.open(own.address + name);
        await page.until("a first frame", (state) => state.frames > 2);
        assert.equal(await page.value("window.streams"), true, "the program is compiled while it arrives");
    }
    await page.open(own.address);
    await pause(1000);
    const course = await page.value("getComputedStyle(document.querySelector('.stage')).position");
    assert.equal(course, "relative", "the course has its style");
    await closed(page, "policy");
    own.server.close();
    const foreign = await browser.page(900, 600);
    for (const name of ["sandbox.html", "index.html", "embed.html"]) {
        await foreign.open(address + name);
        await pause(500);
        const ran = await foreign.value(`(() => { const own = document.createElement("script"); own.textContent = "window.foreign = true";
            document.body.append(own); return window.foreign ?? false; })()`);
        assert.equal(ran, false, `${name} runs a script that is not its own`);
    }
    await browser.send("Target.closeTarget", { targetId: foreign.target });
}

/// What a link says in the fragment of the address.
async function byLink() {
    say("follow a link with a state");
    const link = "#scene=six-link-chain&stabilizer=baumgarte_velocity&alpha=30&beside=none,post_stabilization&h=0.002&t=0.5";
    const { page } = await opened(1280, 800, {}, link);
    const state = await page.until("the link's time", (state) => Math.abs(state.t - 0.5) < 1e-9 && !state.playing);
    assert.deepEqual(
        [state.title, state.scheme, state.parameters.alpha, state.h, state.beside, state.refusal],
        ["six-link-chain", "baumgarte_velocity", 30, 0.002, 2, null],
    );
    await pause(500);
    await shot(page, "link");
    await closed(page, "link");

    say("refuse a broken link with a word");
    const broken = (await opened(1280, 800, {}, "#scene=six-link-chian&h=soon")).page;
    const refused = await broken.until("a refusal", (state) => state.refusal !== null);
    assert.ok(/six-link-chain/.test(refused.refusal[1]) && /h/.test(refused.refusal[1]), refused.refusal[1]);
    assert.equal(refused.title, "six-link-chain");
    await pause(300);
    await shot(broken, "broken-link");
    await closed(broken, "broken link");

    say("an embedded figure");
    const figure = await browser.page(800, 450);
    await figure.open(`${address}sandbox.html?probe&embed#scene=single-pendulum&stabilizer=none&beside=baumgarte_velocity&slider=alpha`);
    await figure.until("a first frame", (state) => state.frames > 2 && state.title === "single-pendulum");
    await pause(700);
    await shot(figure, "embed");
    await closed(figure, "embed");
}

/// The front page: one figure runs at a time, and stands still when it is scrolled away; a link to a state passes through.
async function course() {
    say("the course: the figure in sight runs, the others stand still");
    const frames = () => page.value(`[...document.querySelectorAll("iframe[data-driftlab]")].map((figure) => {
        const state = figure.src && figure.contentWindow?.driftlab?.state;
        return state ? JSON.parse(state).frames : null; })`);
    const scrolled = async (index) => {
        await page.value(`document.querySelectorAll(".stage")[${index}].scrollIntoView({ block: "center", behavior: "instant" })`);
        for (const end = Date.now() + 20000; Date.now() < end; await pause(200)) {
            const before = (await frames())[index];
            await pause(300);
            if (before !== null && (await frames())[index] > before + 2) return;
        }
        assert.fail(`figure ${index} does not run`);
    };
    const page = await browser.page(1280, 800);
    await page.open(`${address}?probe`);
    await pause(700);
    await shot(page, "course");
    assert.ok((await frames()).every((count) => count === null), "no figure is loaded before it is in sight");
    await scrolled(1);
    await shot(page, "course-figure");
    await scrolled(3);
    const before = await frames();
    await pause(1000);
    const after = await frames();
    assert.equal(after[1], before[1], "a figure that is scrolled away stands still");
    assert.ok(after[3] > before[3], "the figure in sight runs");
    await scrolled(15);
    assert.equal((await frames())[1], null, "a figure far away is unloaded");
    say(`${after.length} figures, ${(await frames()).filter((count) => count !== null).length} loaded at the end`);
    await closed(page, "course");

    const phone = await browser.page(390, 844, { scale: 3, touch: true });
    await phone.open(address);
    await pause(500);
    await shot(phone, "course-phone");
    await closed(phone, "course on a phone");
    const linked = await browser.page(800, 600);
    await linked.open(`${address}?probe#scene=box-at-rest`);
    await pause(1500); // The page is replaced meanwhile.
    await linked.until("the link's scene", (state) => state.title === "box-at-rest");
    await closed(linked, "a link to the folder");
}

async function withoutWhatItNeeds() {
    say("a word where the program does not load, and where there is no WebGL");
    const folder = mkdtempSync(join(pictures, "broken-"));
    for (const name of readdirSync(join(root, "web/dist")).filter((name) => !name.endsWith(".wasm"))) {
        copyFileSync(join(root, "web/dist", name), join(folder, name));
    }
    const { server, address } = await serve(folder);
    const page = await browser.page(800, 600);
    const word = async (page, expected) => {
        for (const end = Date.now() + 10000; Date.now() < end; await pause(100)) {
            const found = await page.value("document.getElementById('word')?.textContent ?? ''");
            if (found === expected) return;
        }
        assert.fail(`no word '${expected}'`);
    };
    for (const name of ["sandbox.html", "sandbox.html?embed#scene=box-at-rest"]) {
        await page.open(`file://${join(root, "web/dist", name)}`);
        await word(page, "This page was opened from a file.");
    }
    await shot(page, "from-a-file");
    await page.open(`${address}sandbox.html`);
    await word(page, "The program could not be loaded.");
    await shot(page, "not-loaded");
    server.close();
    const blind = await Browser.start("--disable-3d-apis");
    const dark = await blind.page(800, 600);
    await dark.open(`${(await serve(folder)).address}sandbox.html`);
    await word(dark, "This browser shows no WebGL.");
    await shot(dark, "no-webgl");
    await blind.stop();
    rmSync(folder, { recursive: true });
}

let failed = null;
try {
    const parts = {
        mouse: byMouse, touch: byTouch, sizes: atOtherSizes, keys: byKeys, kept: keptWork, link: byLink, course, offline: withoutNetwork,
        policy: underAPolicy, missing: withoutWhatItNeeds,
    };
    const named = process.argv.slice(2);
    for (const name of named.length ? named : Object.keys(parts)) await parts[name]();
    assert.deepEqual(errors, [], "nothing on the console");
} catch (error) {
    failed = error;
}
await browser.stop();
server.close();
if (failed) {
    console.error(failed, errors);
    process.exit(1);
}
process.exit(0);
