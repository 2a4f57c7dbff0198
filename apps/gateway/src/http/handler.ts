import type { FastifyReply, FastifyRequest } from 'fastify';

/** Handles one operation; returns the body of its success, or undefined where the reply was sent. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
