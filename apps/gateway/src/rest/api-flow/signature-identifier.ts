import { createIdentifier } from '../../fields/identifier.ts';

/** Identifier of the request in calls and answers of the API flow. */
export const signatureIdentifier = createIdentifier('API');
