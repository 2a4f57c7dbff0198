import { type ErrorCode, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { datedHeaders, everyAnswer, headers, requestHeaders } from './headers.ts';
import type { Json, JsonObject } from './json.ts';
import { errorResponse, notModified } from './responses.ts';
import type { Schemas } from './schemas.ts';

export const pkiTag = 'Public key infrastructure';

/** Describes raw bytes: no encoding, so no `contentEncoding`. `format` is for generators that only know OpenAPI 3.0. */
function bytes(mediaType: string): JsonObject {
  return {
    [mediaType]: { schema: { type: 'string', format: 'binary', contentMediaType: mediaType } },
  };
}

const cached = headers(...everyAnswer, 'CacheControl', 'ETag', 'LastModified');
const cachedOcsp = headers(...everyAnswer, 'CacheControl', 'ETag', 'LastModified', 'Expires');

function parameter(name: string, description: string, example: string): Json {
  return { name, in: 'path', required: true, description, schema: { type: 'string' }, example };
}

/** Not a valid OCSP request: an empty SEQUENCE, answered `malformedRequest`. */
const shortestRequest = 'MAA=';

const ocspResponse = bytes('application/ocsp-response');
const ocspText =
  'Signed by a delegated responder. An invalid request is answered `malformedRequest`, with 200 like all OCSP answers. A revocation is visible at once.';

/** Describes the files and answers at the addresses in certificates: public, without token, and not JSON. */
export function pkiPaths(schemas: Schemas): Readonly<Record<string, JsonObject>> {
  const refused = (...codes: readonly ErrorCode[]) => {
    const byStatus = Map.groupBy([...codes, ...always], (code) => errorCatalogue[code].http);
    return Object.fromEntries(
      [...byStatus].map(([status, some]) => [status, errorResponse(status, { codes: some, schemas })]),
    );
  };
  const describeFound = (description: string, content: JsonObject, headersOfIt: JsonObject) => ({
    200: { description, headers: headersOfIt, content },
  });
  return {
    '/pki/{file}': {
      get: {
        tags: [pkiTag],
        operationId: 'pkiFile',
        summary: 'Certificate or CRL of an authority, DER',
        description:
          'Certificates contain these addresses: `{name}.cer` is the certificate of an authority, `{name}.crl` its list of revoked certificates.',
        security: [],
        parameters: [
          parameter('file', '`{name}.cer` or `{name}.crl`, as in certificates', 'root.cer'),
          ...datedHeaders(),
        ],
        responses: {
          ...describeFound(
            'The file',
            { ...bytes('application/pkix-cert'), ...bytes('application/pkix-crl') },
            cached,
          ),
          304: notModified,
          ...refused('ROUTE_NOT_FOUND', 'CERTIFICATE_NOT_FOUND'),
        },
      },
    },
    '/pki/ocsp': {
      post: {
        tags: [pkiTag],
        operationId: 'ocsp',
        summary: 'Status of a certificate (RFC 6960)',
        description: ocspText,
        security: [],
        parameters: requestHeaders({}),
        requestBody: { required: true, description: 'DER', content: bytes('application/ocsp-request') },
        responses: {
          ...describeFound('An OCSP response', ocspResponse, cachedOcsp),
          ...refused('BODY_MALFORMED', 'BODY_TOO_LARGE'),
        },
      },
    },
    '/pki/ocsp/{request}': {
      get: {
        tags: [pkiTag],
        operationId: 'ocspByAddress',
        summary: 'Status of a certificate, cacheable (RFC 5019)',
        description: ocspText,
        security: [],
        parameters: [
          parameter(
            'request',
            'Base64 of the OCSP request, URL-encoded; slashes need no encoding (RFC 6960 §A.1). Base64url is accepted too',
            shortestRequest,
          ),
          ...datedHeaders(),
        ],
        responses: {
          ...describeFound('An OCSP response', ocspResponse, cachedOcsp),
          304: notModified,
          ...refused(),
        },
      },
    },
  };
}

const always: readonly ErrorCode[] = ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
