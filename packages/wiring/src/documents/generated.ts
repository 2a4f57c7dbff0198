import { readFile } from 'node:fs/promises';
import { busPermissions } from './bus-permissions.ts';
import { metricsPage } from './metrics-page.ts';

export interface GeneratedFile {
  readonly url: URL;
  /** What the file should be. */
  readonly text: string;
  /** What it is. */
  readonly present: string;
}

const root = new URL('../../../../', import.meta.url);

/** Every file that is written from the tables, as it should be and as it is. */
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
