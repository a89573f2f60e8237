import type { GrammarState, HighlighterCore, ThemedToken, ThemeRegistrationRaw } from '@shikijs/core';

import { loadGrammar } from './languages';
import type { Coloured, Hue } from './paint';

// The theme's colours are names in disguise: each stands for a hue of tokens.css,
// so that both themes of the page share one pass and no colour reaches a style.
const hues: Record<string, Hue> = {
  '#000001': 'k',
  '#000002': 's',
  '#000003': 'c',
  '#000004': 'n',
  '#000005': 'f',
  '#000006': 'y',
};

const theme: ThemeRegistrationRaw = {
  name: 'countersign',
  type: 'light',
  fg: '#000000',
  bg: '#ffffff',
  settings: [
    { settings: { foreground: '#000000', background: '#ffffff' } },
    {
      scope: ['keyword', 'storage', 'storage.type', 'entity.name.tag', 'variable.language'],
      settings: { foreground: '#000001' },
    },
    { scope: ['keyword.operator', 'storage.type.function.arrow'], settings: { foreground: '#000000' } },
    { scope: ['keyword.operator.new', 'keyword.operator.expression'], settings: { foreground: '#000001' } },
    { scope: ['string', 'markup.inline.raw', 'constant.character.escape'], settings: { foreground: '#000002' } },
    { scope: ['comment', 'punctuation.definition.comment'], settings: { foreground: '#000003' } },
    { scope: ['constant.numeric', 'constant.language', 'constant.other'], settings: { foreground: '#000004' } },
    {
      scope: ['entity.name.function', 'support.function', 'entity.other.attribute-name', 'markup.heading'],
      settings: { foreground: '#000005' },
    },
    {
      scope: ['entity.name.type', 'support.type', 'support.class', 'entity.name.class', 'storage.type.numeric.go'],
      settings: { foreground: '#000006' },
    },
    { scope: ['support.type.property-name'], settings: { foreground: '#000005' } },
  ],
};

/** How long a text is that is coloured, in UTF-16 units, and a line of it. */
const maxCharacters = 4_000_000;
const maxLineLength = 2_000;
/** How many lines are read before what was found is told, and others have a turn. */
const stretchLines = 400;

let engine: Promise<HighlighterCore> | undefined;

function start(): Promise<HighlighterCore> {
  engine ??= Promise.all([import('@shikijs/core'), import('@shikijs/engine-javascript')]).then(([core, js]) =>
    core.createHighlighterCore({
      themes: [theme],
      langs: [],
      engine: js.createJavaScriptRegexEngine({ forgiving: true }),
    }),
  );
  return engine;
}

/** The colours of a stretch of lines, of which `first` is the first. */
export interface Found {
  first: number;
  lines: Coloured[][];
}

/**
 * Colours a text stretch by stretch, so that a long one can be told and left off in between.
 * Very long texts and lines stay in one colour. Rejects when the grammar cannot be read.
 */
export async function* colourText(text: string, language: string): AsyncGenerator<Found> {
  if (text.length > maxCharacters) return;
  const highlighter = await start();
  if (!highlighter.getLoadedLanguages().includes(language)) {
    await highlighter.loadLanguage(await loadGrammar(language));
  }
  const all = text.split('\n');
  let grammarState: GrammarState | undefined;
  for (let first = 0; first < all.length; first += stretchLines) {
    const result = highlighter.codeToTokens(all.slice(first, first + stretchLines).join('\n'), {
      lang: language,
      theme: 'countersign',
      tokenizeMaxLineLength: maxLineLength,
      // On a busy machine a limit in time leaves a line half read, and what follows in colours that
      // are wrong. Nothing waits for the worker.
      tokenizeTimeLimit: 0,
      ...(grammarState && { grammarState }),
    });
    grammarState = result.grammarState;
    yield { first, lines: result.tokens.map(rangesOf) };
  }
}

function rangesOf(line: ThemedToken[]): Coloured[] {
  const found: Coloured[] = [];
  let at = 0;
  for (const token of line) {
    const hue = hues[(token.color ?? '').toLowerCase()];
    if (hue) found.push({ from: at, to: at + token.content.length, hue });
    at += token.content.length;
  }
  return found;
}
