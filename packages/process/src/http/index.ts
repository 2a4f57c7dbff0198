export { createHttpClient, type HttpClient, type HttpRequest } from './http-client.ts';
export { boundPipelines } from './pipelines.ts';
export { announcesBody, discardBody, drainUnreadBodies } from './unread-bodies.ts';
