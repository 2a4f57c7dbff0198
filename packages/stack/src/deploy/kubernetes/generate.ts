import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { kubernetesFiles } from './generated-files.ts';

for (const { path, text } of await kubernetesFiles()) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
