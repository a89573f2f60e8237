import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist/', 'node_modules/', 'e2e/shots/'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  {
    rules: {
      // svelte-check knows every name.
      'no-undef': 'off',
      // State that is replaced whole is kept raw, and sets of listeners are not shown.
      'svelte/prefer-svelte-reactivity': 'off',
      // Text from agents, tools and files is text: nothing may become markup.
      'svelte/no-at-html-tags': 'error',
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map((property) => ({
          property,
          message: 'Foreign text must stay text.',
        })),
      ],
      'svelte/button-has-type': 'error',
      // Under LANG=C a browser may name a language that none of its formats takes: see lib/ui/time.ts.
      'no-restricted-syntax': [
        'error',
        ...[
          'CallExpression[callee.property.name=/^toLocale/][arguments.0.type!="Literal"]',
          'MemberExpression[object.name="navigator"][property.name=/^languages?$/]',
          'NewExpression[callee.object.name="Intl"][arguments.0.type!="Literal"]',
        ].map((selector) => ({
          selector,
          message: 'Write dates and counts with lib/ui/time.ts, or name the language.',
        })),
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Each file names one icon; the index of the icon package makes thousands of modules.
      'no-restricted-imports': ['error', { paths: ['@lucide/svelte', 'shiki'] }],
    },
  },
);
