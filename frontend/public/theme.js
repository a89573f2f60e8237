// Runs before anything is drawn, so that a page in the other theme than the system's does not begin
// in the wrong one. src/lib/ui/theme.ts writes what this reads. A cookie, since each desk has its own
// port and a browser keeps its storage by port; storage too, since a window has no cookies.
(() => {
  let kept = /(?:^|; )countersign-theme=(light|dark)/.exec(document.cookie)?.[1];
  try {
    kept ??= localStorage.getItem('countersign-theme') ?? undefined;
  } catch {
    // A browser that keeps nothing begins as the system is set.
  }
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept;
})();
