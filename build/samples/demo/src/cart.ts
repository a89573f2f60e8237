export interface Line {
  name: string;
  /** Price of one piece in cents. */
  price: number;
  pieces: number;
}

const taxRate = 0.21;

/** Total of a cart in cents, with tax. */
export function total(lines: Line[]): number {
  let sum = 0;
  for (const line of lines) {
    const gross = Math.round(line.price * (1 + taxRate));
    sum += gross * line.pieces;
  }
  return sum;
}

/** A receipt, one line of text for each line of the cart. */
export function receipt(lines: Line[]): string {
  const rows = lines.map((line) => `${line.pieces} x ${line.name}`);
  return [...rows, `total ${(total(lines) / 100).toFixed(2)}`].join('\n');
}
