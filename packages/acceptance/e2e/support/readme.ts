import { readFile } from 'node:fs/promises';

/** Reads the fenced blocks of a file in this language whose first line is this mark, in order. */
export async function codeBlocks(file: string, language: string, mark: string): Promise<string[]> {
  const text = await readFile(file, 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, name, code = '']) =>
    name === language && code.split('\n')[0]?.trim() === mark ? code : [],
  );
}
