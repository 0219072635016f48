/**
 * An immutable map whose `set` copies only what is recent: a stream of ten thousand events is folded without copying
 * ten thousand entries at each. Recent entries are merged into the base once they are as many as its square root.
 */
export class PersistentMap<K, V> {
  private constructor(
    private readonly base: ReadonlyMap<K, V>,
    private readonly recent: ReadonlyMap<K, { readonly value: V } | undefined>,
  ) {}

  static empty<K, V>(): PersistentMap<K, V> {
    return new PersistentMap<K, V>(new Map(), new Map());
  }

  get(key: K): V | undefined {
    return this.recent.has(key) ? this.recent.get(key)?.value : this.base.get(key);
  }

  has(key: K): boolean {
    return this.recent.has(key) ? this.recent.get(key) !== undefined : this.base.has(key);
  }

  set(key: K, value: V): PersistentMap<K, V> {
    return this.with(key, { value });
  }

  delete(key: K): PersistentMap<K, V> {
    return this.has(key) ? this.with(key, undefined) : this;
  }

  *entries(): IterableIterator<[K, V]> {
    for (const [key, value] of this.base) if (!this.recent.has(key)) yield [key, value];
    for (const [key, entry] of this.recent) if (entry !== undefined) yield [key, entry.value];
  }

  *values(): IterableIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  private with(key: K, entry: { readonly value: V } | undefined): PersistentMap<K, V> {
    const recent = new Map(this.recent).set(key, entry);
    if (recent.size < Math.max(32, Math.sqrt(this.base.size))) return new PersistentMap(this.base, recent);
    return new PersistentMap<K, V>(new Map(new PersistentMap(this.base, recent).entries()), new Map());
  }
}
