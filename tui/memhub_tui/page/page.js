// What is typed goes to the terminal from its first picture on, without a click into it.
window.addEventListener("DOMContentLoaded", () => {
  const body = document.body;
  new MutationObserver((_, observer) => {
    if (!body.classList.contains("-first-byte")) return;
    observer.disconnect();
    document.querySelector(".xterm-helper-textarea").focus();
  }).observe(body, { attributeFilter: ["class"] });
});
