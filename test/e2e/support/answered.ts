export type Json = Record<string, unknown>;

export interface Answered<Body = Json> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}
