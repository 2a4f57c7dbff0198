import { type Html, html } from '../../pages/html.ts';

export type CodeLanguage = 'bash' | 'json' | 'typescript' | 'python' | 'java' | 'text';

const words = {
  typescript:
    'async await catch const else export for from function if import interface let new of readonly return throw try type typeof while with',
  python: 'and as def else except for from if import in is lambda not or print raise return try while with',
  java: 'byte catch char class else final for if import int long new private public return static throw throws try var void while',
  bash: 'curl cut do done echo export for if in jq npm npx openssl python3 java javac then while',
} as const;

const doubleQuoted = String.raw`"(?:\\.|[^"\\])*"`;
const singleQuoted = String.raw`'(?:\\.|[^'\\\n])*'`;
const number = String.raw`\b\d[\d_.]*\b`;
const literal = String.raw`\b(?:true|false|null|undefined|None|True|False)\b`;

/** What each language's comments and texts look like; the first that fits wins. */
const shapes: Readonly<Record<CodeLanguage, Readonly<Record<string, string>>>> = {
  typescript: {
    c: String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`,
    s: String.raw`${singleQuoted}|${doubleQuoted}|\x60(?:\\.|[^\x60\\])*\x60`,
    k: keywords(words.typescript),
    n: `${number}|${literal}`,
  },
  python: {
    c: String.raw`#[^\n]*`,
    s: String.raw`"""[\s\S]*?"""|${doubleQuoted}|${singleQuoted}`,
    k: keywords(words.python),
    n: `${number}|${literal}`,
  },
  java: {
    c: String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`,
    s: String.raw`"""[\s\S]*?"""|${doubleQuoted}|${singleQuoted}`,
    k: keywords(words.java),
    n: `${number}|${literal}`,
  },
  bash: {
    c: String.raw`(?<=^|\s)#[^\n]*`,
    s: `${doubleQuoted}|'[^']*'`,
    k: keywords(words.bash),
    n: String.raw`\$\{?\w+\}?`,
  },
  json: { k: String.raw`${doubleQuoted}(?=\s*:)`, s: doubleQuoted, n: `-?${number}|${literal}` },
  text: {},
};

function keywords(list: string): string {
  return String.raw`(?<![\w.-])(?:${list.replaceAll(' ', '|')})(?![\w-])`;
}

/** Code with its comments, texts, keywords and numbers marked: `c`, `s`, `k`, `n`. */
export function highlight(text: string, language: CodeLanguage): Html {
  const kinds = Object.entries(shapes[language]);
  if (kinds.length === 0) return html`${text}`;
  const pattern = new RegExp(kinds.map(([kind, shape]) => `(?<${kind}>${shape})`).join('|'), 'gm');
  const parts: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    parts.push(html`${text.slice(end, match.index)}<span class="${kind}">${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return html`${parts}${text.slice(end)}`;
}
