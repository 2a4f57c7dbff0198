/** Something this machine lacks. `message` says what and `remedy` says how to get it, for a person to read. */
export class MissingPiece extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(`${message}\n${remedy}`, options);
    this.name = 'MissingPiece';
    this.remedy = remedy;
  }
}
