import { z } from 'zod';
import { text } from '../../shared/fields.ts';

/** Longer ones are not read to their end. */
export const longestDocumentBytes = 64 * 1024;
/** Time for one: name, connection, TLS and the whole answer. */
export const documentBudgetMs = 5_000;

/** A document of a server that is not ours, such as the keys of a partner's own OpenID issuer. */
export const readDocumentInput = z.object({ url: text(2048) });
export const readDocumentOutput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), text: z.string().max(longestDocumentBytes) }),
  /** Why there is none, in words for a log. */
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type ReadDocument = z.infer<typeof readDocumentOutput>;
