// A browser without a display, driven by the DevTools protocol over a pipe, and a server of a folder on the loopback address.
// Node alone, without packages.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".png": "image/png" };
const FLAGS = [
    "--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--remote-debugging-pipe",
];

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/// Serves a folder, with these headers beside each file, at any port or at a given one; returns its address and the server.
export async function serve(folder, headers = {}, port = 0) {
    const server = createServer((request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)).replace(/\/$/, "/index.html");
        try {
            const bytes = readFileSync(join(folder, path));
            response.writeHead(200, { ...headers, "content-type": KINDS[extname(path)] ?? "application/octet-stream" }).end(bytes);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((done) => server.listen(port, "127.0.0.1", done));
    return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

export class Browser {
    static async start(...flags) {
        const own = new Browser();
        own.folder = mkdtempSync(join(tmpdir(), "driftlab-browser-"));
        own.process = spawn(process.env.CHROMIUM ?? "chromium", [...FLAGS, `--user-data-dir=${own.folder}`, ...flags, "about:blank"], {
            stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
        });
        own.number = 0;
        own.waiting = new Map();
        own.pages = new Map();
        let rest = "";
        own.process.stdio[4].on("data", (bytes) => {
            const parts = (rest + bytes).split("\0");
            rest = parts.pop();
            for (const part of parts) own.hear(JSON.parse(part));
        });
        return own;
    }

    hear(message) {
        if (message.id) {
            const { done, failed } = this.waiting.get(message.id);
            this.waiting.delete(message.id);
            if (message.error) failed(new Error(JSON.stringify(message.error)));
            else done(message.result);
        } else {
            this.pages.get(message.sessionId)?.hear(message);
        }
    }

    send(method, params = {}, sessionId = undefined) {
        const id = ++this.number;
        this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
        return new Promise((done, failed) => this.waiting.set(id, { done, failed }));
    }

    /// A new page of that size in points, in the profile of another page or in one of its own, whose storage is empty.
    async page(width, height, { scale = 1, touch = false, profile = null } = {}) {
        const browserContextId = profile ?? (await this.send("Target.createBrowserContext")).browserContextId;
        const { targetId } = await this.send("Target.createTarget", { url: "about:blank", newWindow: true, browserContextId });
        const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
        const page = new Page(this, sessionId, targetId, browserContextId);
        this.pages.set(sessionId, page);
        for (const part of ["Page", "Runtime", "Log", "Performance"]) await page.send(`${part}.enable`);
        await page.size(width, height, scale, touch);
        return page;
    }

    async stop() {
        const ended = new Promise((done) => this.process.on("exit", done));
        await this.send("Browser.close").catch(() => {});
        await Promise.race([ended, pause(5000)]);
        this.process.kill("SIGKILL");
        rmSync(this.folder, { recursive: true, force: true });
    }
}

class Page {
    constructor(browser, session, target, profile) {
        Object.assign(this, { browser, session, target, profile, console: [], questions: [], answer: true });
    }

    send(method, params) {
        return this.browser.send(method, params, this.session);
    }

    hear({ method, params }) {
        if (method === "Runtime.consoleAPICalled") {
            this.console.push(params.args.map((arg) => arg.value ?? arg.description).join(" "));
        } else if (method === "Runtime.exceptionThrown") {
            this.console.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        } else if (method === "Page.javascriptDialogOpening") {
            this.questions.push(params.type);
            this.send("Page.handleJavaScriptDialog", { accept: this.answer });
        } else if (method === "Log.entryAdded" && params.entry.level === "error") {
            this.console.push(`${params.entry.text} ${params.entry.url ?? ""}`);
        }
    }

    async size(width, height, deviceScaleFactor = 1, touch = false) {
        await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor, mobile: touch });
        await this.send("Emulation.setTouchEmulationEnabled", { enabled: touch, maxTouchPoints: 5 });
    }

    async open(address) {
        await this.send("Page.navigate", { url: address });
    }

    async value(expression) {
        const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    /// What the program shows (src/app/shell/probe.rs), or none before the first frame.
    async state() {
        const text = await this.value("typeof driftlab === 'object' ? driftlab.state : ''");
        return text ? JSON.parse(text) : null;
    }

    /// The state, once it fulfils the condition.
    async until(what, holds, seconds = 30) {
        let state = null;
        for (const end = Date.now() + 1000 * seconds; Date.now() < end; await pause(50)) {
            state = await this.state();
            if (state && holds(state)) return state;
        }
        throw new Error(`not within ${seconds} s: ${what}; ${JSON.stringify(state)?.slice(0, 600)}`);
    }

    async picture(path) {
        const { data } = await this.send("Page.captureScreenshot", { format: "png" });
        writeFileSync(path, Buffer.from(data, "base64"));
    }

    mouse(type, x, y, more = {}) {
        return this.send("Input.dispatchMouseEvent", { type, x, y, button: "none", ...more });
    }

    /// Presses at the first place and moves through the others; returns without letting go.
    async press([[x, y], ...places], button = "left") {
        const buttons = { left: 1, right: 2, middle: 4 }[button];
        await this.mouse("mouseMoved", x, y);
        await this.mouse("mousePressed", x, y, { button, buttons, clickCount: 1 });
        this.at = [x, y, button, buttons];
        for (const place of places) {
            await pause(30);
            await this.move(place);
        }
    }

    /// Moves while the button is down.
    async move([x, y]) {
        const [, , button, buttons] = this.at;
        await this.mouse("mouseMoved", x, y, { button, buttons });
        this.at = [x, y, button, buttons];
    }

    release() {
        const [x, y, button] = this.at;
        return this.mouse("mouseReleased", x, y, { button, clickCount: 1 });
    }

    async click(x, y) {
        await this.press([[x, y]]);
        await pause(60);
        await this.release();
    }

    async key(key, code, windowsVirtualKeyCode, modifiers = 0) {
        const text = key.length === 1 && modifiers === 0 ? key : undefined;
        await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", key, code, windowsVirtualKeyCode, modifiers, text });
        await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code, windowsVirtualKeyCode, modifiers });
    }

    /// Holds Ctrl while something is done.
    async control(done) {
        const key = { key: "Control", code: "ControlLeft", windowsVirtualKeyCode: 17 };
        await this.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key, modifiers: 2 });
        await done();
        await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
    }

    touch(type, points) {
        return this.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    }

    /// A finger that is lifted once the page has drawn it.
    async tap(x, y) {
        const { frames } = await this.state();
        await this.touch("touchStart", [[x, y]]);
        await this.until("the finger is drawn", (state) => state.frames > frames + 1);
        await this.touch("touchEnd", []);
    }

    /// Waits until the field of the screen's keyboard has the focus.
    async typing() {
        for (const end = Date.now() + 10000; Date.now() < end; await pause(50)) {
            if (await this.value("document.activeElement?.id") === "typed") return;
        }
        throw new Error("no field to type into");
    }

    /// Drops a file onto a place.
    async drop(x, y, path) {
        const data = { items: [], files: [path], dragOperationsMask: 1 };
        for (const type of ["dragEnter", "dragOver", "drop"]) {
            await this.send("Input.dispatchDragEvent", { type, x, y, data });
        }
    }

    /// Processor time of the page's main thread so far, s, and its memory, bytes.
    async costs() {
        const { metrics } = await this.send("Performance.getMetrics");
        const own = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
        return { seconds: own.TaskDuration, script: own.ScriptDuration, heap: own.JSHeapUsedSize };
    }
}
