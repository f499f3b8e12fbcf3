// A preview is as high as its content. The content runs no script, so this page measures it.
"use strict";

// In CSS pixels. A content that is higher can be scrolled in its frame.
const LOWEST = 120;
const HIGHEST = 20_000;

function fitPreview(frame) {
  const fit = () => {
    const content = frame.contentDocument?.documentElement;
    if (!content || frame.contentDocument.URL === "about:blank") return;
    // Heights that depend on the window would otherwise only grow.
    frame.style.height = `${LOWEST}px`;
    const height = Number(content.scrollHeight) || LOWEST;
    frame.style.height = `${Math.min(Math.max(height, LOWEST), HIGHEST)}px`;
  };
  frame.addEventListener("load", fit);
  if (frame.contentDocument?.readyState === "complete") fit();
}

document.querySelectorAll("iframe.preview").forEach(fitPreview);
