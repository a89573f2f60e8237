/** A path cut where it may wrap: after / \ _ - . and before a capital that starts a word. */
export interface PathParts {
  folder: string[];
  name: string[];
}

/** Splits a path into its quiet folder and its strong name, each in pieces between which a line may break. */
export function pathParts(path: string): PathParts {
  const trimmed = path.replace(/[/\\]+$/, '');
  const cut = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\')) + 1;
  return { folder: pieces(path.slice(0, cut)), name: pieces(path.slice(cut)) };
}

function pieces(text: string): string[] {
  return text.split(/(?<=[/\\_\-.])|(?<=[a-z0-9])(?=[A-Z])/).filter((piece) => piece !== '');
}

/** Whether a subject is to be set as a path rather than as a command or an address. */
export function looksLikePath(text: string): boolean {
  return /^[^\s"'$&|;<>()]+$/.test(text) && !text.includes('://');
}
