/** A set of names that must be unique in the program: a doubled one stops the boot and says who has it already. */
export class Registry<T> {
  private readonly entries = new Map<string, T>();

  constructor(private readonly what: string) {}

  add(name: string, entry: T): this {
    if (this.entries.has(name)) {
      throw new Error(`The ${this.what} '${name}' is registered twice; rename one of them.`);
    }
    this.entries.set(name, entry);
    return this;
  }

  get(name: string): T | undefined {
    return this.entries.get(name);
  }

  names(): readonly string[] {
    return [...this.entries.keys()];
  }

  all(): readonly (readonly [string, T])[] {
    return [...this.entries];
  }
}
