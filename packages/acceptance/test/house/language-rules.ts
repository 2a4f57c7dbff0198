import type { Finding } from './finding.ts';
import { vocabulary } from './vocabulary.ts';
import { isTest, type SourceFile, workspaces } from './workspaces.ts';

/** First words that make a comment a fragment: it starts with a verb or names the thing instead. */
const relativeOpening =
  /^(?:What|Which|Who|Whose|Whom|Whether|Of|For|As|Where|How|In|By|The same|From|To|With|At|On|Until|While)\b/;
const maxSentenceWords = 30;

const docComment = /\/\*\*([\s\S]*?)\*\//g;
const exportedName = /^export (?:async )?(?:function\*? ?|const |let |interface |type |class )(\w+)/gm;
const nameOfSomething = /[a-z]Of$|^of[A-Z]/;

/** Names of types in the published SDKs. */
const publishedNames: ReadonlySet<string> = new Set(['RenewalOf']);

interface DocComment {
  readonly path: string;
  readonly text: string;
}

function readDocComments({ path, text }: SourceFile): DocComment[] {
  return [...text.matchAll(docComment)]
    .map(([, body = '']) => body.replaceAll(/^\s*\*\s?/gm, '').trim())
    .filter((plain) => plain !== '' && !plain.startsWith('@'))
    .map((plain) => ({ path, text: plain }));
}

/** Splits at full stops, items of lists, tags and examples in code. */
function splitSentences(text: string): string[] {
  return text.replaceAll(/```[\s\S]*?```/g, '').split(/(?<=[.!?:;])\s|\n\s*-\s|\n@|\n\n/);
}

function isTooLong(sentence: string): boolean {
  return sentence.split(/\s+/).length > maxSentenceWords;
}

function readExportedNames({ path, text }: SourceFile): { readonly path: string; readonly name: string }[] {
  return [...text.matchAll(exportedName)].map(([, name = '']) => ({ path, name }));
}

/** Splits `giveBackSlot` into `give`, `back`, `slot` and pairs of neighbours, as the vocabulary writes them. */
function splitName(name: string): string[] {
  const parts = name.split(/(?=[A-Z])|_/).map((part) => part.toLowerCase());
  const pairs = parts.slice(1).map((part, index) => `${parts[index]}${part}`);
  return [...parts, ...pairs];
}

const replacements = new Map(
  vocabulary.flatMap(({ use, insteadOf }) => insteadOf.map((word) => [word.toLowerCase(), use] as const)),
);

function findReplacement(name: string): string | undefined {
  return splitName(name)
    .map((part) => replacements.get(part))
    .find((use) => use !== undefined);
}

/** Descriptions of fields in generated files are texts of the published interface. */
function isGenerated(text: string): boolean {
  return /^\/\/ (?:Made|Generated) from /.test(text);
}

/** Findings of the language, by kind. */
export interface LanguageFindings {
  readonly docComments: number;
  readonly relativeOpenings: readonly Finding[];
  readonly longSentences: readonly Finding[];
  readonly exportedNames: readonly Finding[];
}

/** Checks comments and exported names of the product's source. */
export function languageFindings(): LanguageFindings {
  const sources = workspaces.flatMap(({ folder, files }) =>
    files.filter(({ path, text }) => !isTest(path) && !isGenerated(text)).map((file) => ({ folder, file })),
  );
  const comments = sources.flatMap(({ folder, file }) =>
    readDocComments(file).map((comment) => ({ folder, ...comment })),
  );
  const names = sources.flatMap(({ folder, file }) =>
    readExportedNames(file).map((exported) => ({ folder, ...exported })),
  );
  return {
    docComments: comments.length,
    relativeOpenings: comments
      .filter(({ text }) => relativeOpening.test(text))
      .map(({ folder, path, text }) => ({
        rule: 'comment: start with a verb or name the thing',
        workspace: folder,
        text: `${path}: ${text.split('\n', 1)[0]}`,
      })),
    longSentences: comments.flatMap(({ folder, path, text }) =>
      splitSentences(text)
        .filter(isTooLong)
        .map((sentence) => ({
          rule: `comment: at most ${maxSentenceWords} words in a sentence`,
          workspace: folder,
          text: `${path}: ${sentence.split('\n', 1)[0]}`,
        })),
    ),
    exportedNames: names.flatMap(({ folder, path, name }) => {
      const use = nameOfSomething.test(name) ? 'verb and object, or a noun' : findReplacement(name);
      if (use === undefined || publishedNames.has(name)) return [];
      return [{ rule: `name: say ${use}`, workspace: folder, text: `${path}: ${name}` }];
    }),
  };
}
