import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './shell.ts';

/** The fenced blocks of the README in this language whose first line is this mark, in order. */
export function readmeBlocks(language: string, mark: string): Promise<string[]> {
  return codeBlocks(join(projectRoot, 'README.md'), language, mark);
}

/** The same of any file. */
export async function codeBlocks(file: string, language: string, mark: string): Promise<string[]> {
  const text = await readFile(file, 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, name, code = '']) =>
    name === language && code.split('\n')[0]?.trim() === mark ? code : [],
  );
}
