// Keeps all files of the page, so that it opens without a network from the second visit on. Files of one build stay together: a page that
// was changed on its server is loaded whole beside the old one, and shown once no tab has that open any more.
"use strict";

const VERSION = ""; // of the files, by web/build
const FILES = []; // by web/build
/// Other folders of the server may hold other pages of this kind.
const OWN = `driftlab ${self.registration.scope} `;

self.addEventListener("install", (event) => {
    const all = FILES.map((file) => new Request(file, { cache: "no-cache" }));
    event.waitUntil(caches.open(OWN + VERSION).then((files) => files.addAll(all)));
});

self.addEventListener("activate", (event) => {
    const isOld = (name) => name.startsWith(OWN) && name !== OWN + VERSION;
    event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
    if (event.request.method !== "GET") return;
    const found = caches.open(OWN + VERSION).then((files) => files.match(event.request, { ignoreSearch: true }));
    event.respondWith(found.then((file) => file ?? fetch(event.request)));
});
