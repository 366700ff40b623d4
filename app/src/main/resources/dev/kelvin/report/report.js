"use strict";

// Under a table that is wider than its place a line says that it scrolls.
for (const table of document.querySelectorAll(".table, .wide")) {
  const hint = document.createElement("p");
  hint.className = "hint";
  hint.textContent = "scrolls sideways \u2192";
  hint.setAttribute("aria-hidden", "true"); // a screen reader reads the whole table anyway
  table.after(hint);
  new ResizeObserver(() => table.classList.toggle("scrolls", table.scrollWidth > table.clientWidth + 1)).observe(table);
}

// Each film becomes a player; its strip of frames stays, for print and for those who prefer to look at all at once.
for (const film of document.querySelectorAll(".film")) {
  const frames = [...film.querySelectorAll(".strip figure")];
  if (frames.length < 2) continue;
  const make = (parent, tag, attributes = {}) =>
    parent.appendChild(Object.assign(document.createElement(tag), attributes));

  const stage = document.createElement("div");
  stage.className = "stage";
  film.insertBefore(stage, film.querySelector(".strip"));
  film.classList.add("plays");
  const image = make(stage, "img");
  const controls = make(stage, "div", { className: "controls" });
  const button = make(controls, "button", { type: "button", textContent: "Play" });
  const slider = make(controls, "input", { type: "range", min: 0, max: frames.length - 1, step: 1, ariaLabel: "Frame" });
  const label = make(controls, "output");

  const show = (number) => {
    const frame = frames[number].querySelector("img");
    const caption = frames[number].querySelector("figcaption").textContent;
    image.src = frame.src;
    image.alt = frame.alt;
    slider.value = number;
    slider.setAttribute("aria-valuetext", caption);
    label.textContent = caption;
    frames.forEach((other, i) => other.classList.toggle("now", i === number));
  };

  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    button.textContent = "Play";
  };
  const next = () => {
    const number = Number(slider.value) + 1;
    if (number < frames.length) show(number);
    if (number >= frames.length - 1) stop();
  };
  button.addEventListener("click", () => {
    if (timer) return stop();
    if (Number(slider.value) === frames.length - 1) show(0);
    button.textContent = "Pause";
    timer = setInterval(next, 400);
  });
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  show(frames.length - 1);
}
