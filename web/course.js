// A link to a state of the sandbox, given with the address of the folder alone, is passed on.
if (location.hash.includes("=")) location.replace("sandbox.html" + location.search + location.hash);
