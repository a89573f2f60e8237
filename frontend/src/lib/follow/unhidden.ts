/**
 * What a list that is followed gives its lines. Left alone it hides a line until it was measured, and
 * all that is in the line is styled once more when it is shown. It is measured before it is painted.
 */
export const unhidden = () => ({ style: { visibility: 'visible' } });
