// Both sides of an embedded sandbox.
//
// In a page with figures <iframe data-driftlab="sandbox.html?embed#scene=…">, the figure that is seen best is loaded and runs; the others
// stand still, and those far away are unloaded. In the page of the sandbox, no frame is drawn while the page around it says so, and that
// page keeps the keys until a person presses into the figure.
"use strict";

(() => {
  // Share of a figure, or of the window where that is smaller, from which on it runs; and the distance, in heights of the window,
  // beyond which it is unloaded.
  const SEEN = 0.5, FAR = 2;

  function follow(figures) {
    const shares = new Map(), near = new Set();
    const light = matchMedia("(prefers-color-scheme: light)").matches;
    const probe = new URLSearchParams(location.search).has("probe"); // The figures tell what they show, for tests.
    const tell = (figure, word) => figure.contentWindow?.postMessage({ driftlab: word }, "*");
    const load = figure => {
      const [address, fragment] = figure.dataset.driftlab.split("#");
      figure.src = address + (light ? "&light" : "") + (probe ? "&probe" : "") + "#" + fragment;
      figure.hidden = false;
    };
    const unload = figure => {
      figure.hidden = true;
      figure.removeAttribute("src");
    };
    let running = null;
    function choose() {
      const best = figures.reduce((a, b) => (shares.get(b) ?? 0) > (shares.get(a) ?? 0) ? b : a);
      const next = (shares.get(best) ?? 0) >= SEEN && !document.hidden ? best : null;
      if (next !== running) {
        if (running) tell(running, "sleep");
        if (next?.src) tell(next, "wake");
        running = next;
      }
      if (next && !next.src) load(next);
      for (const figure of figures) if (figure.src && !near.has(figure)) unload(figure);
    }
    // A figure that was still loading when another one became the best learns it when it has loaded.
    for (const figure of figures) figure.addEventListener("load", () => tell(figure, figure === running ? "wake" : "sleep"));
    document.addEventListener("visibilitychange", choose);
    const steps = Array.from({ length: 21 }, (_, index) => index / 20);
    const share = entry => entry.intersectionRect.height / Math.min(entry.boundingClientRect.height, innerHeight);
    observe(figures, { threshold: steps }, entry => {
      shares.set(frame_of(entry), entry.isIntersecting ? share(entry) : 0);
      choose();
    });
    observe(figures, { rootMargin: `${100 * FAR}% 0%` }, entry => {
      near[entry.isIntersecting ? "add" : "delete"](frame_of(entry));
      choose();
    });
  }

  // A hidden frame has no place: what is observed is the element around it.
  const frame_of = entry => entry.target.querySelector("iframe[data-driftlab]");
  function observe(figures, options, see) {
    const observer = new IntersectionObserver(entries => entries.forEach(see), options);
    for (const figure of figures) observer.observe(figure.parentElement);
  }

  function obey() {
    // gl.js takes the focus once, when it is loaded.
    const canvas = document.getElementById("glcanvas");
    canvas.focus = () => delete canvas.focus;
    const frame = window.requestAnimationFrame.bind(window);
    let held = null;
    window.requestAnimationFrame = draw => held ? held.push(draw) : frame(draw);
    window.addEventListener("message", event => {
      if (event.source !== window.parent) return;
      if (event.data?.driftlab === "sleep") held ??= [];
      if (event.data?.driftlab === "wake" && held) {
        const draws = held;
        held = null;
        draws.forEach(draw => frame(draw));
      }
    });
  }

  const figures = [...document.querySelectorAll("iframe[data-driftlab]")];
  if (figures.length) follow(figures);
  if (document.getElementById("glcanvas") && window.parent !== window) obey();
})();
