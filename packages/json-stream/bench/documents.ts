import { randomBytes } from 'node:crypto';

export const ways = ['decoder', 'JSON.parse + zod + Buffer.from'] as const;
export const encodings = ['integers', 'base64'] as const;
export type Encoding = (typeof encodings)[number];

/** Sizes of files; six of them make a document of about 60 MB. */
const decodedBytes: Record<Encoding, number> = { integers: 2_800_000, base64: 7_500_000 };
const fileCount = 6;

export function documentOf(encoding: Encoding): Buffer {
  const evidences = Array.from({ length: fileCount }, () => {
    const bytes = randomBytes(decodedBytes[encoding]);
    return encoding === 'base64' ? `"${bytes.toString('base64')}"` : `[${bytes.join(',')}]`;
  });
  const items = evidences.map((file) => `{"evidenceFile":${file}}`).join(',');
  return Buffer.from(`{"referenceTransaction":"TX-1","evidences":[${items}]}`);
}
