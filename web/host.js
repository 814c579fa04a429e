// What a page gives to driftlab: the loading of the program, files, storage, the clipboard, a timer, touch. The program's side is
// web/host/src/lib.rs; the numbers of both enumerations there and here are the same. The script's own element names the program.
"use strict";

window.driftlab = (() => {
    /// Longest wait, ms, for which the next picture of the display is asked for at once: the display itself waits so long.
    const DISPLAY = 17;
    /// Units of miniquad's wheel in one notch: the window's 40 points, at egui's 8 points a line and egui-macroquad's 30 units a line.
    const NOTCH = 150;
    /// Pixels and lines that a browser scrolls in one notch of a wheel.
    const NOTCH_PIXELS = 100;
    const NOTCH_LINES = 3;
    /// The view grows by this factor in one notch (src/workbench/view_state/camera.rs).
    const WHEEL_FACTOR = 1.15;
    /// Pixels of a pinch on a touchpad over which browsers scale by e.
    const PINCH_PIXELS = 100;
    /// A finger that moves less than this, px, rests; one that rests for so long, ms, pushes.
    const REST = 8;
    const LONG_PRESS = 450;
    /// miniquad's buttons, and its key for the left Shift.
    const LEFT = 0, MIDDLE = 2, SHIFT = 340, WITH_SHIFT = 1;
    /// A place outside of every picture, where the pointer is when no finger is on the screen.
    const NOWHERE = -100000;

    const Ask = { Query: 0, Fragment: 1, File: 2, Contents: 3, Followed: 4, Settings: 5, Lost: 6, Refusal: 7 };
    const Tell = { Download: 0, Choose: 1, Copy: 2, Ended: 3, Probe: 4, Typing: 5, Keys: 6, Unsaved: 7, Keep: 8, LostSettled: 9, Spoken: 10 };

    const encoder = new TextEncoder(), decoder = new TextDecoder();
    const brought = [];
    let answer = null, contents = null, timer = null, hasEnded = false, followed = "";
    const page = { state: "", frames: [], onState: null, bring };

    // ---- What the program asks and tells.

    function answerTo(what) {
        switch (what) {
            case Ask.Query: return location.search.length > 1 ? encoder.encode(location.search.slice(1)) : null;
            case Ask.Fragment: return location.hash.length > 1 ? encoder.encode(location.hash.slice(1)) : null;
            case Ask.File: {
                const file = brought.shift();
                contents = file ? file.bytes : null;
                return file ? encoder.encode(file.name) : null;
            }
            case Ask.Contents: return contents;
            case Ask.Followed: {
                const link = followed;
                followed = "";
                return link === "" ? null : encoder.encode(link);
            }
            case Ask.Settings: return kept(STORED + "settings");
            case Ask.Lost: return lost === null ? null : kept(lost);
            case Ask.Refusal: return refusal === null ? null : encoder.encode(refusal);
        }
        return null;
    }

    function text(at, bytes) {
        return decoder.decode(new Uint8Array(wasm_memory.buffer, at, bytes).slice());
    }

    function told(what, name, bytes) {
        switch (what) {
            case Tell.Download: return download(name, bytes);
            case Tell.Choose: return choose(name);
            case Tell.Copy: return copy(decoder.decode(bytes));
            case Tell.Ended: return ended(decoder.decode(bytes));
            case Tell.Probe:
                page.state = decoder.decode(bytes);
                if (page.onState) page.onState(page.state);
                return;
            case Tell.Typing: return type(bytes.length > 0);
            case Tell.Keys:
                taken = new Set(decoder.decode(bytes).split(" "));
                return;
            case Tell.Unsaved: return guard(bytes.length > 0);
            case Tell.Keep: return keep(name, decoder.decode(bytes));
            case Tell.LostSettled: return settleLost();
            case Tell.Spoken:
                document.getElementById("spoken").textContent = decoder.decode(bytes);
                return;
        }
    }

    function wake(milliseconds) {
        clearTimeout(timer);
        const ask = () => importObject.env.sapp_schedule_update();
        if (milliseconds <= DISPLAY) ask();
        else timer = setTimeout(ask, milliseconds);
    }

    miniquad_add_plugin({
        name: "driftlab",
        version: 1,
        register_plugin(imports) {
            imports.env.driftlab_ask = (what) => {
                answer = answerTo(what);
                return answer === null ? -1 : answer.length;
            };
            imports.env.driftlab_take = (to) => {
                new Uint8Array(wasm_memory.buffer, to, answer.length).set(answer);
                answer = null;
            };
            imports.env.driftlab_tell = (what, name, nameBytes, at, count) => {
                told(what, text(name, nameBytes), new Uint8Array(wasm_memory.buffer, at, count).slice());
            };
            imports.env.driftlab_wake = wake;
            // egui's own copying, which comes a frame after the key.
            imports.env.sapp_set_clipboard = (at, bytes) => copy(text(at, bytes));
        },
    });

    // ---- What outlasts the page, in the browser's storage: settings, and the unsaved work of every open page in a place of its own.
    // A page locks its place for as long as it is open; work in a place that nobody has locked is lost work.

    const STORED = "driftlab.", PLACES = 100;
    let own = null, lost = null, refusal = null;

    function kept(key) {
        try {
            const text = localStorage.getItem(key);
            return text === null ? null : encoder.encode(text);
        } catch {
            return null; // The browser keeps nothing for this page: keeping says so.
        }
    }

    /// Finds the page's own place, and one with work of a page that is no longer open.
    async function findPlaces() {
        // Figures in a page keep nothing.
        if (!navigator.locks || new URLSearchParams(location.search).has("embed")) return;
        const locked = (name) => new Promise((done) => {
            navigator.locks.request(name, { ifAvailable: true }, (lock) => {
                done(lock !== null);
                return lock && new Promise(() => {}); // Held until the page is left.
            }).catch(() => done(false));
        });
        for (let number = 1; number <= PLACES && (own === null || lost === null); number += 1) {
            const place = `${STORED}unsaved.${number}`, isWanted = () => (kept(place) === null ? own : lost) === null;
            if (!isWanted() || !(await locked(place))) continue;
            if (kept(place) === null) own ??= place;
            else lost ??= place;
        }
    }

    /// Keeps a text, or nothing in the place of an empty one; if it cannot, the refusal says why.
    function keep(name, text) {
        refusal = null;
        const place = name === "unsaved" ? own : STORED + name;
        try {
            if (place !== null && text === "") localStorage.removeItem(place);
            else if (place !== null) localStorage.setItem(place, text);
            else if (text !== "") throw new Error("a browser keeps unsaved work for pages served by https");
        } catch (error) {
            refusal = error.name === "QuotaExceededError" ? `the browser's storage is full: ${text.length} letters` : String(error.message || error);
        }
    }

    function settleLost() {
        if (lost !== null) localStorage.removeItem(lost);
        lost = null;
    }

    let isGuarded = false;

    /// While there is unsaved work the browser asks before the page is left.
    function guard(wanted) {
        if (wanted === isGuarded) return;
        isGuarded = wanted;
        if (wanted) window.addEventListener("beforeunload", askFirst);
        else window.removeEventListener("beforeunload", askFirst);
    }

    function askFirst(event) {
        if (hasEnded) return;
        event.preventDefault();
        event.returnValue = true; // Older browsers.
    }

    // ---- Files and the clipboard.

    /// Gives a file to the program.
    function bring(name, bytes) {
        brought.push({ name, bytes });
        wake(0);
    }

    async function bringFiles(files) {
        for (const file of files) bring(file.name, new Uint8Array(await file.arrayBuffer()));
    }

    function download(name, bytes) {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([bytes]));
        link.download = name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    }

    function choose(extension) {
        const input = document.createElement("input");
        input.type = "file";
        input.accept = "." + extension;
        input.onchange = () => bringFiles(input.files);
        input.click();
    }

    function copy(content) {
        // A link begins with the part behind the page's own address.
        if (content.startsWith("#")) content = location.href.split("#")[0] + content;
        clipboard = content; // gl.js answers the browser's own copying with it.
        if (navigator.clipboard) {
            navigator.clipboard.writeText(content).catch(() => copyBySelection(content));
        } else {
            copyBySelection(content);
        }
    }

    /// Where a page is not served by https.
    function copyBySelection(content) {
        const area = document.createElement("textarea");
        area.value = content;
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
        canvas.focus();
    }

    // ---- The keyboard on the screen of a phone. It types into a field of the page that nobody sees: what changes there is passed on
    // as keys. The field has something to delete, too.

    const BACKSPACE = 259, ENTER = 257, DELETABLE = " ".repeat(64);
    const field = document.createElement("input");
    let isTyping = false, touches = false, known = "";

    function type(wanted) {
        if (wanted === isTyping) return;
        isTyping = wanted;
        if (!touches) return;
        if (wanted) openKeyboard();
        else canvas.focus();
    }

    function openKeyboard() {
        if (document.activeElement === field) return;
        field.value = known = DELETABLE;
        field.focus({ preventScroll: true });
    }

    /// Letters and codes of keys that wait: a frame takes letters or one key, since it does not know which came first.
    const strokes = [];

    function strike(...added) {
        strokes.push(...added);
        if (strokes.length === added.length) feed();
    }

    function feed() {
        const [code] = strokes;
        if (typeof code === "number") {
            wasm_exports.key_down(code, 0, false);
            wasm_exports.key_up(code, 0);
        }
        let taken = typeof code === "number" ? 1 : 0;
        if (taken === 0) {
            for (; typeof strokes[taken] === "string"; taken += 1) wasm_exports.key_press(strokes[taken].codePointAt(0));
        }
        afterFrame(() => {
            strokes.splice(0, taken);
            if (strokes.length > 0) feed();
        });
    }

    function makeField() {
        Object.assign(field, { id: "typed", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: false, tabIndex: -1 });
        field.setAttribute("aria-hidden", "true");
        field.addEventListener("input", () => {
            let same = 0;
            while (same < known.length && known[same] === field.value[same]) same += 1;
            const lost = new Array(known.length - same).fill(BACKSPACE);
            known = field.value;
            strike(...lost, ...known.slice(same));
        });
        field.addEventListener("keydown", (event) => { if (event.key === "Enter") strike(ENTER); });
        document.body.append(field);
    }

    // ---- The pointer and the keyboard.

    /// Listens before gl.js does, which then does not hear of it.
    function first(target, kind, handle) {
        target.addEventListener(kind, (event) => {
            if (handle(event)) event.stopImmediatePropagation();
        }, { capture: true, passive: false });
    }

    /// The keys with Ctrl and the function keys that the program takes (src/app/keys.rs); all others are the browser's.
    let taken = new Set();

    function isTaken(event) {
        return taken.has(`${event.ctrlKey ? "Ctrl+" : ""}${event.shiftKey ? "Shift+" : ""}${event.code}`);
    }

    function isBrowsers(event) {
        if (["Control", "Shift", "Alt", "Meta"].includes(event.key)) return false;
        if (event.key === "Tab" && event.shiftKey) return true; // The way out of the canvas.
        if (event.metaKey || event.altKey) return true;
        return (event.ctrlKey || /^F\d+$/.test(event.code)) && !isTaken(event);
    }

    let holdsControl = false;

    function listen() {
        makeField();
        first(canvas, "keydown", (event) => {
            holdsControl = event.ctrlKey;
            if (isBrowsers(event)) return true;
            // Copying, cutting and pasting are the browser's doing as well.
            if (event.ctrlKey && !["KeyC", "KeyX", "KeyV"].includes(event.code)) event.preventDefault();
            return false;
        });
        first(canvas, "keypress", isBrowsers);
        first(window, "keyup", (event) => { holdsControl = event.ctrlKey; return false; });

        // A drag goes on outside of the canvas.
        canvas.addEventListener("pointerdown", (event) => {
            if (event.pointerType === "mouse") canvas.setPointerCapture(event.pointerId);
        });
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("mouseleave", () => wasm_exports.mouse_move(NOWHERE, NOWHERE));
        first(canvas, "wheel", wheel);
        first(canvas, "touchstart", touch);
        first(canvas, "touchmove", touch);
        first(canvas, "touchend", touch);
        first(canvas, "touchcancel", touch);

        first(window, "drop", (event) => {
            event.preventDefault();
            bringFiles(event.dataTransfer.files);
            return true;
        });
        first(window, "paste", (event) => {
            const pasted = event.clipboardData.getData("Text");
            if (!pasted.trimStart().startsWith("{")) return false;
            event.preventDefault();
            bring("pasted scene", encoder.encode(pasted));
            return true;
        });
        // Another link to the same page is a link that the program opens, which asks before unsaved work is left.
        window.addEventListener("hashchange", () => {
            followed = location.hash.slice(1);
            wake(0);
        });
        // A page moved to another display has another number of pixels, without a change of its size.
        new ResizeObserver(() => window.onresize()).observe(canvas);
        watchPixels();
        document.addEventListener("visibilitychange", () => { if (!document.hidden) wake(0); });
    }

    function watchPixels() {
        matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", () => {
            window.onresize();
            watchPixels();
        }, { once: true });
    }

    /// The wheel in notches; the rest of a notch waits.
    let turned = 0;

    function turn(notches) {
        turned += NOTCH * notches;
        const whole = Math.trunc(turned);
        turned -= whole;
        if (whole !== 0) wasm_exports.mouse_wheel(0, whole);
    }

    function wheel(event) {
        event.preventDefault();
        const isPinch = event.ctrlKey && !holdsControl;
        if (isPinch) turn(-event.deltaY / PINCH_PIXELS / Math.log(WHEEL_FACTOR));
        else turn(-(event.deltaY || event.deltaX) / (event.deltaMode === 1 ? NOTCH_LINES : NOTCH_PIXELS));
        return true;
    }

    // ---- Touch, as the mouse does it: one finger drags, one that rests pushes, two move the view and scale it. The pointer arrives
    // in a frame of its own before the press: its way from the place of the last touch would else count as a drag.

    let gesture = null, drawn = 0;
    const waiting = [];

    /// Does something when another frame has been drawn.
    function afterFrame(act) {
        waiting.push(act);
        wake(0);
    }

    function place(touch) {
        const { x, y } = mouse_relative_position(touch.clientX, touch.clientY);
        return [Math.round(x), Math.round(y)];
    }

    function touch(event) {
        event.preventDefault();
        const [a, b] = event.touches;
        touches = true;
        if (event.type === "touchstart" && !isTyping) canvas.focus();
        // Some browsers open the keyboard only while a finger acts: the next touch of the field does.
        if (event.type === "touchend" && isTyping) openKeyboard();
        if (a && b) return two(a, b);
        if (a && event.type === "touchstart") return begin(a);
        if (a) return drag(a);
        return lift();
    }

    function begin(finger) {
        release();
        const [x, y] = place(finger);
        wasm_exports.mouse_move(x, y);
        const timer = setTimeout(() => press(LEFT, true), LONG_PRESS);
        gesture = { fingers: 1, from: finger, x, y, timer, drawn, button: null };
        return true;
    }

    function press(button, shift) {
        if (shift) wasm_exports.key_down(SHIFT, WITH_SHIFT, false);
        gesture.button = button;
        gesture.shift = shift;
        wasm_exports.mouse_down(gesture.x, gesture.y, button);
    }

    function drag(finger) {
        if (!gesture || gesture.fingers !== 1) return true;
        if (gesture.button === null) {
            const way = Math.hypot(finger.clientX - gesture.from.clientX, finger.clientY - gesture.from.clientY);
            if (way < REST || drawn === gesture.drawn) return true;
            clearTimeout(gesture.timer);
            press(LEFT, false);
        } else {
            [gesture.x, gesture.y] = place(finger);
            wasm_exports.mouse_move(gesture.x, gesture.y);
        }
        return true;
    }

    function two(a, b) {
        const middle = { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
        const apart = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        const [x, y] = place(middle);
        if (!gesture || gesture.fingers !== 2) {
            release();
            const own = gesture = { fingers: 2, x, y, apart, drawn, button: null, newest: null };
            wasm_exports.mouse_move(x, y);
            afterFrame(() => { if (gesture === own && own.newest) two(...own.newest); });
        } else if (drawn > gesture.drawn) {
            if (gesture.button === null) press(MIDDLE, false);
            wasm_exports.mouse_move(x, y);
            if (apart > 0 && gesture.apart > 0) turn(Math.log(apart / gesture.apart) / Math.log(WHEEL_FACTOR));
            Object.assign(gesture, { x, y, apart });
        } else {
            gesture.newest = [a, b];
        }
        return true;
    }

    function lift() {
        const tap = gesture;
        if (!tap || tap.fingers !== 1 || tap.button !== null) {
            release();
            afterFrame(leave);
            return true;
        }
        clearTimeout(tap.timer);
        const step = (act) => () => { if (gesture === tap) act(); };
        const press_then_lift = step(() => {
            press(LEFT, false);
            afterFrame(step(() => { release(); afterFrame(leave); }));
        });
        if (drawn > tap.drawn) press_then_lift();
        else afterFrame(press_then_lift);
        return true;
    }

    function release() {
        if (gesture && gesture.button !== null) {
            wasm_exports.mouse_up(gesture.x, gesture.y, gesture.button);
            if (gesture.shift) wasm_exports.key_up(SHIFT, 0);
        }
        if (gesture) clearTimeout(gesture.timer);
        gesture = null;
    }

    function leave() {
        if (!gesture) wasm_exports.mouse_move(NOWHERE, NOWHERE);
    }

    // ---- Loading, and the end.

    const element = (id) => document.getElementById(id);

    function say(title, detail) {
        element("bar").hidden = true;
        element("word").textContent = title;
        element("detail").textContent = detail;
        element("cover").hidden = false;
    }

    function ended(message) {
        if (hasEnded) return;
        hasEnded = true;
        importObject.env.sapp_schedule_update = () => {};
        say("The program has stopped.", message + " — Reload the page to begin again.");
    }

    function hasWebGL() {
        try {
            const context = document.createElement("canvas").getContext("webgl");
            if (context === null) return false;
            const fits = ["OES_vertex_array_object", "WEBGL_depth_texture"].every((name) => context.getExtension(name));
            context.getExtension("WEBGL_lose_context")?.loseContext();
            return fits;
        } catch {
            return false;
        }
    }

    /// A file of that size as an answer whose bytes are counted as they pass: `tell` is told the share that has arrived.
    async function counted(path, size, tell) {
        const response = await fetch(path);
        if (!response.ok) throw new Error(`${path}: the server answers ${response.status}`);
        let arrived = 0;
        const count = new TransformStream({
            transform(part, passed) {
                arrived += part.length;
                if (arrived > size) throw new Error(`${path} is longer than ${size} bytes`);
                tell(arrived / size);
                passed.enqueue(part);
            },
            flush() {
                if (arrived < size) throw new Error(`${path} ends after ${arrived} of ${size} bytes`);
            },
        });
        // Not all servers know the type without which a browser compiles nothing on the way.
        return new Response(response.body.pipeThrough(count), { headers: { "content-type": "application/wasm" } });
    }

    /// Loads the program of so many bytes and starts it.
    async function start(path, size) {
        if (location.protocol === "file:") {
            return say("This page was opened from a file.", "A browser loads the program from a server alone. One for this computer: " +
                "python3 -m http.server in this folder, then open http://localhost:8000/");
        }
        if (typeof WebAssembly !== "object") {
            return say("This browser does not run WebAssembly.", "driftlab needs a browser of 2018 or later.");
        }
        if (!hasWebGL()) {
            return say("This browser shows no WebGL.", "It may be switched off, or the graphics driver is blocked.");
        }
        try {
            register_plugins(plugins);
            const tell = (share) => { element("filled").style.width = `${100 * share}%`; };
            // Compiled while it arrives.
            const [module] = await Promise.all([WebAssembly.compileStreaming(counted(path, size, tell)), findPlaces()]);
            add_missing_functions_stabs(module);
            const instance = await WebAssembly.instantiate(module, importObject);
            wasm_memory = instance.exports.memory;
            wasm_exports = watched(instance.exports);
            init_plugins(plugins);
            instance.exports.main();
            listen();
            // From the next visit on the page also opens without a network.
            navigator.serviceWorker?.register("offline.js").catch(() => {});
        } catch (error) {
            say("The program could not be loaded.", String(error.message || error));
        }
    }

    /// The program's functions; an error in one of them ends the program. The first frame uncovers the picture.
    function watched(functions) {
        const own = {};
        for (const [name, call] of Object.entries(functions)) {
            own[name] = typeof call !== "function" ? call : (...given) => {
                if (hasEnded) return 0;
                try {
                    return call(...given);
                } catch (error) {
                    ended(String(error.message || error));
                    return 0;
                }
            };
        }
        const frame = own.frame, measures = location.search.includes("probe");
        own.frame = () => {
            const begun = performance.now();
            frame();
            drawn += 1;
            for (const act of waiting.splice(0)) act();
            if (measures) page.frames.push([begun, performance.now() - begun]);
            if (!hasEnded) element("cover").hidden = true;
        };
        return own;
    }

    const { program, size } = document.currentScript.dataset;
    start(program, Number(size));
    return page;
})();
