import { readFile } from 'node:fs/promises';
import { busPermissions } from './bus-permissions.ts';
import { metricsPage } from './metrics-page.ts';

export interface GeneratedFile {
  readonly url: URL;
  /** Expected content. */
  readonly text: string;
  /** Content of the present file. */
  readonly present: string;
}

const root = new URL('../../../../', import.meta.url);

/** Lists every file that is generated from the tables, with expected and present content. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  return Promise.all([
    generatedFile('deploy/nats/permissions.conf', busPermissions()),
    generatedFile('deploy/metrics.md', metricsPage()),
  ]);
}

async function generatedFile(path: string, text: string): Promise<GeneratedFile> {
  const url = new URL(path, root);
  return { url, text, present: await readFile(url, 'utf8') };
}
