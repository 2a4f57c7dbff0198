/**
 * A program that this machine lacks. `message` names it and `remedy` explains how to install it, for a person to read.
 */
export class MissingPiece extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(`${message}\n${remedy}`, options);
    this.name = 'MissingPiece';
    this.remedy = remedy;
  }
}
