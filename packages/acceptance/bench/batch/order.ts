import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

export const batchOrderSchema = z.object({
  url: z.url(),
  token: z.string(),
  /** A JSON body with `referencePlaceholder` where each line's own reference goes. */
  bodyFile: z.string(),
  referencePrefix: z.string().max(20),
  durationMs: z.int().min(1),
  /** No more than the gateway takes. */
  lines: z.int().min(1),
});
export type BatchOrder = z.infer<typeof batchOrderSchema>;

const batchResultSchema = z.object({
  accepted: z.int(),
  refused: z.int(),
  /** The first refusals. */
  refusals: z.array(z.string()),
  elapsedMs: z.number(),
});
export type BatchResult = z.infer<typeof batchResultSchema>;

const generator = join(import.meta.dirname, 'batch-generator.ts');

/** Runs the generator in a process of its own. */
export async function sendBatch(order: BatchOrder): Promise<BatchResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [generator, JSON.stringify(order)]);
  return batchResultSchema.parse(JSON.parse(stdout));
}
