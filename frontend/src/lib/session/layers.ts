const words: Record<string, string> = {
  scopes: 'Caller’s scopes',
  hardline: 'Always closed',
  matrix: 'What it does',
  paths: 'Where it reaches',
  trust: 'What was read',
  set: 'Tool set',
  hook: 'Your hook',
  lock: 'Locks',
  allowlist: 'Allowed hosts',
  grant: 'Grants',
  author: 'Tool’s author',
  preset: 'Preset',
  reviewer: 'Reviewer',
  operator: 'You',
};

/** What the person knows a voice of a decision as. One that is not known goes by its own name. */
export function layerWords(layer: string): string {
  return words[layer] ?? layer;
}
