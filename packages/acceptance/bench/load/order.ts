import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

export const loadOrderSchema = z.object({
  url: z.url(),
  token: z.string(),
  /** JSON body with `referencePlaceholder` in place of each call's own reference; if absent, each call is a GET. */
  bodyFile: z.string().optional(),
  referencePrefix: z.string().max(20),
  connections: z.int().min(1),
  durationMs: z.int().min(1),
  /** Ends early after this number of calls. */
  requests: z.int().min(1).optional(),
});
export type LoadOrder = z.infer<typeof loadOrderSchema>;

const loadResultSchema = z.object({
  accepted: z.int(),
  refused: z.int(),
  /** The first refusals, with status and text. */
  refusals: z.array(z.string()),
  elapsedMs: z.number(),
  latenciesMs: z.array(z.number()),
});
export type LoadResult = z.infer<typeof loadResultSchema>;

const generator = join(import.meta.dirname, 'generator.ts');

/** Runs the generator in its own process. */
export async function sendLoad(order: LoadOrder): Promise<LoadResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [generator, JSON.stringify(order)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return loadResultSchema.parse(JSON.parse(stdout));
}
