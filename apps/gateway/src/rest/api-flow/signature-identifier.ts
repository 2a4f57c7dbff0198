import { identifierOf } from '../../fields/identifier.ts';

/** How the calls and answers of the flow name their request. */
export const signatureIdentifier = identifierOf('API');
