// What every measurement that a script takes has in common.

export const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

/** What a share of all, such as 0.95, stays within. */
export const quantile = (all, share) => all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))];

/** Takes a measurement and prints it as one JSON object. What was started for it ends, whatever comes. */
export async function report(measure) {
  const cleanups = [];
  try {
    console.log(JSON.stringify(await measure({ after: (f) => cleanups.unshift(f) })));
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}
