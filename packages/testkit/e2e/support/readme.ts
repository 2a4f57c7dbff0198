import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './shell.ts';

/** The fenced blocks of the README in this language whose first line is this mark, in order. */
export async function readmeBlocks(language: string, mark: string): Promise<string[]> {
  const readme = await readFile(join(projectRoot, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, name, text = '']) =>
    name === language && text.split('\n')[0]?.trim() === mark ? text : [],
  );
}
