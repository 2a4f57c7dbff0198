import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

export const loadOrderSchema = z.object({
  url: z.url(),
  token: z.string(),
  /** A JSON body in which `referencePlaceholder` stands where each call's own reference goes; none: each call is a GET. */
  bodyFile: z.string().optional(),
  referencePrefix: z.string().max(20),
  connections: z.int().min(1),
  durationMs: z.int().min(1),
  /** Ends before, once so many were sent. */
  requests: z.int().min(1).optional(),
});
export type LoadOrder = z.infer<typeof loadOrderSchema>;

const loadResultSchema = z.object({
  accepted: z.int(),
  refused: z.int(),
  /** The first refusals, status and text. */
  refusals: z.array(z.string()),
  elapsedMs: z.number(),
  latenciesMs: z.array(z.number()),
});
export type LoadResult = z.infer<typeof loadResultSchema>;

const generator = join(import.meta.dirname, 'generator.ts');

/** Runs the generator in a process of its own. */
export async function sendLoad(order: LoadOrder): Promise<LoadResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [generator, JSON.stringify(order)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return loadResultSchema.parse(JSON.parse(stdout));
}
