import { z } from 'zod';
import { text } from '../../shared/fields.ts';

/** Longest document that is read to its end. */
export const maxDocumentBytes = 64 * 1024;
/** Time limit of one read: name resolution, connection, TLS and the whole answer. */
export const documentBudgetMs = 5_000;

/** Reads a document of an external server, for example the keys of a partner's own OpenID issuer. */
export const readDocumentInput = z.object({ url: text(2048) });
export const readDocumentOutput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), text: z.string().max(maxDocumentBytes) }),
  /** Reason of the failure, as text for a log. */
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type ReadDocument = z.infer<typeof readDocumentOutput>;
