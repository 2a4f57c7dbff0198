import { type ErrorCode, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { datedHeaders, everyAnswer, headers, requestHeaders } from './headers.ts';
import type { Json, JsonObject } from './json.ts';
import { errorResponse, notModified } from './responses.ts';
import type { Schemas } from './schemas.ts';

export const pkiTag = 'Public key infrastructure';

/** Bytes as they are: no encoding, so no `contentEncoding`. `format` is for generators that know OpenAPI 3.0 alone. */
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

/** No OCSP request that anybody needs: an empty SEQUENCE, answered `malformedRequest`. */
const shortestRequest = 'MAA=';

const ocspResponse = bytes('application/ocsp-response');
const ocspText =
  'Signed by a delegated responder. What is no request is answered `malformedRequest`, with 200 as all OCSP answers are. A revocation shows at once.';

/** Files and answers that certificates name. Public, without token, and not JSON. */
export function pkiPaths(schemas: Schemas): Readonly<Record<string, JsonObject>> {
  const refused = (...codes: readonly ErrorCode[]) => {
    const byStatus = Map.groupBy([...codes, ...always], (code) => errorCatalogue[code].http);
    return Object.fromEntries(
      [...byStatus].map(([status, some]) => [status, errorResponse(status, { codes: some, schemas })]),
    );
  };
  const found = (description: string, content: JsonObject, headersOfIt: JsonObject) => ({
    200: { description, headers: headersOfIt, content },
  });
  return {
    '/pki/{file}': {
      get: {
        tags: [pkiTag],
        operationId: 'pkiFile',
        summary: "An authority's certificate or CRL, DER",
        description:
          'At the addresses that certificates name: `{name}.cer` the certificate of an authority, `{name}.crl` its list of revoked certificates.',
        security: [],
        parameters: [
          parameter('file', '`{name}.cer` or `{name}.crl`, as certificates name them', 'root.cer'),
          ...datedHeaders(),
        ],
        responses: {
          ...found(
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
        summary: 'The status of a certificate (RFC 6960)',
        description: ocspText,
        security: [],
        parameters: requestHeaders({}),
        requestBody: { required: true, description: 'DER', content: bytes('application/ocsp-request') },
        responses: {
          ...found('An OCSP response', ocspResponse, cachedOcsp),
          ...refused('BODY_MALFORMED', 'BODY_TOO_LARGE'),
        },
      },
    },
    '/pki/ocsp/{request}': {
      get: {
        tags: [pkiTag],
        operationId: 'ocspByAddress',
        summary: 'The same, cacheable (RFC 5019)',
        description: ocspText,
        security: [],
        parameters: [
          parameter(
            'request',
            'Base64 of the OCSP request, URL-encoded; slashes in it may stand as they are (RFC 6960 §A.1). Base64url is taken too',
            shortestRequest,
          ),
          ...datedHeaders(),
        ],
        responses: {
          ...found('An OCSP response', ocspResponse, cachedOcsp),
          304: notModified,
          ...refused(),
        },
      },
    },
  };
}

const always: readonly ErrorCode[] = ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
