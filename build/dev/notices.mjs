// Prints the license texts of everything that is built into the executables: the Go
// modules of its packages, the Go library, and the npm packages of the page. What is
// built in is taken from the builds themselves, so no list can go stale. A part
// without a license text is an error.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const frontend = join(root, 'frontend');

const run = (cwd, command, ...args) => execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 });

const texts = (folder) =>
  readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)([-.]|$)/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());

function goParts() {
  const format = '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}';
  const modules = ['./app/countersign', './app/desktop']
    .map((program) => run(root, 'go', 'list', `-tags=${process.env.window_tags}`, '-deps', '-f', format, program))
    .join('\n');
  const parts = [...new Set(modules.split('\n').filter(Boolean))].map((line) => line.split('\t'));
  const go = run(root, 'go', 'env', 'GOVERSION').trim();
  return [[`Go library ${go}`, run(root, 'go', 'env', 'GOROOT').trim()], ...parts];
}

// The source map names every module that ended up in the page; style sheets and fonts
// are not in it, and are read from what the sources import.
function pageParts() {
  const out = mkdtempSync(join(tmpdir(), 'countersign-notices-'));
  const folders = new Set();
  try {
    run(frontend, 'npx', '--no-install', 'vite', 'build', '--sourcemap', '--logLevel', 'error', '--emptyOutDir', '--outDir', out);
    for (const name of readdirSync(out, { recursive: true }).filter((name) => name.endsWith('.map'))) {
      for (const source of JSON.parse(readFileSync(join(out, name), 'utf8')).sources) add(folders, source);
    }
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
  const sources = run(root, 'git', 'ls-files', '-co', '--exclude-standard', 'frontend/src').split('\n').filter(Boolean);
  for (const name of sources) {
    for (const [, font] of readFileSync(join(root, name), 'utf8').matchAll(/['"](@fontsource[\w-]*\/[\w-]+)/g)) add(folders, `node_modules/${font}/`);
  }
  return [...folders].map((folder) => {
    const { name, version } = createRequire(import.meta.url)(join(folder, 'package.json'));
    return [`${name} ${version}`, folder];
  });
}

function add(folders, source) {
  const match = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source);
  if (match) folders.add(join(frontend, 'node_modules', match[1]));
}

// What was published without a license text, and what is known of it. A part that is here
// and has one, or is not built in, is an error too.
const said = {
  'github.com/leaanthony/u v1.1.0':
    'This module was published without a license text. It is by the author of Wails, and Wails,\nwhich is under the MIT license below, takes the types of its options from it.',
};

const parts = [...goParts(), ...pageParts()].sort(([a], [b]) => (a < b ? -1 : 1));
const bare = parts.filter(([, folder]) => texts(folder).length === 0).map(([name]) => name);
const wrong = [
  ...bare.filter((name) => !said[name]).map((name) => `no license text in: ${name}`),
  ...Object.keys(said).filter((name) => !bare.includes(name)).map((name) => `needs no words of ours: ${name}`),
];
if (wrong.length) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
console.log('Countersign is built with the parts below, each under its own license.');
for (const [name, folder] of parts) {
  console.log(`\n${'='.repeat(78)}\n${name}\n${'='.repeat(78)}\n\n${said[name] ?? texts(folder).join('\n\n')}`);
}
