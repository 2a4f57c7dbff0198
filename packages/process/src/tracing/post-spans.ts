import { request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';

const timeoutMs = 5_000;

/** By `node:http`: `fetch` costs as much again as making the spans of the body. */
export function postSpans(url: URL, body: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = url.protocol === 'https:' ? requestByHttps : requestByHttp;
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  request(url, { method: 'POST', headers, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
    const { statusCode = 0 } = response;
    const isTaken = statusCode >= 200 && statusCode < 300;
    response
      .resume()
      .once('error', reject)
      .once('end', () => (isTaken ? resolve() : reject(new Error(`the collector answered ${statusCode}`))));
  })
    .once('error', reject)
    .end(body);
  return promise;
}
