// The documents of the library, as far as the page reads them. `web/test` holds the library's own
// answers against these types.

export interface Failure {
  message: string;
  help: string | null;
  file: string | null;
  line: number | null;
  column: number | null;
}

export interface Described {
  text: string;
  measure?: string;
  name?: string;
  title?: string;
  family?: string;
  bounds?: number[] | null;
  cutoff?: number | null;
  grades?: boolean;
  error?: Failure;
}

export interface Range {
  low: number;
  high: number;
  unjudged: number;
  tail: number;
  kind: string;
}

export interface MeasureScore {
  measure: string;
  value: number | null;
  undefined?: string;
  range?: Range;
  no_range?: string;
}

export interface Scored {
  document: {
    rankings: {
      ranking: string;
      grades: (number | null)[];
      unretrieved: number[];
      measures: MeasureScore[];
    }[];
    settings: Record<string, unknown>;
  };
  texts: string[];
  errors: { text: string; error: Failure }[];
}

export interface ExplainedDocument {
  rank: number | null;
  document: string;
  grade?: number | null;
  alpha?: string | null;
  sigma?: string | null;
  sim?: number | null;
  gain?: number | null;
  weight?: number | null;
  contribution: number | null;
  total?: number | null;
  if_relevant?: number | null;
  user?: { continuation: number; weight: number; last: number };
}

export interface Explained {
  measure: string;
  topic: string;
  score: number | null;
  undefined?: string | null;
  normaliser?: number | null;
  range?: { low: number; high: number; tail: number; kind: string } | null;
  no_range?: string | null;
  user?: {
    continuation: string;
    documents: number;
    utility: number;
    total_utility: number;
    cost: number;
    total_cost: number;
  } | null;
  documents: ExplainedDocument[];
}

export interface Parameter {
  name: string;
  expected: string;
  default: string | null;
  meaning: string;
}

export interface Definition {
  name: string;
  title: string | null;
  family?: string;
  definition?: string;
  range?: string;
  undefined_when?: string;
  user_model?: string;
  cutoff?: string;
  parameters?: Parameter[];
  references?: string[];
  statement?: string;
  meaning?: string;
  reference?: string;
  summary?: string;
}

export interface Listed {
  name: string;
  title: string;
  family: string;
  aliases: string[];
}

export interface Check {
  name: string;
  group: string;
  title: string | null;
  statement: string;
  meaning: string;
}

export interface Catalogue {
  version: string;
  measures: Listed[];
  checks: Check[];
  wishes: Record<string, { name: string; gist: string }[]>;
}

export interface State {
  gains: number[];
  k: number;
  score: number | null;
}

export interface Witness {
  text: string;
  states?: State[];
  max_grade?: number;
  [more: string]: unknown;
}

export interface Bounds {
  max_docs: number;
  gains: string;
  cases: number;
  skipped: number;
  arithmetic: string;
  note?: string | null;
  trials?: number;
  seed?: number;
}

export interface Finding {
  group: string;
  name: string;
  scope?: string;
  restrict?: string;
  rankings?: string;
  title?: string | null;
  statement?: string;
  verdict: string;
  how?: string | null;
  rule?: string | null;
  bounds?: Bounds | null;
  witness?: Witness | null;
  reason?: string;
  premises?: number;
}

export interface Verdicts {
  metrics: {
    metric: string;
    structure?: string;
    finite?: boolean;
    verdicts: Finding[];
    error?: string;
  }[];
}

export interface Lattice {
  contradictions: { properties: string[]; derivation: string }[];
  feasible: { properties: string[]; measure: string | null }[];
}

export interface Organized {
  document: {
    systems: {
      name: string;
      mean: Record<string, number | null>;
      explain?: Record<
        string,
        Record<"lost" | "invented", { relation: string; weight: number }[]>
      >;
      documents?: Record<string, ({ doc: string } & Record<string, number | string | null>)[]>;
    }[];
    settings: Record<string, unknown>;
    warnings: Warning[];
  };
  measures: { name: string; title: string; task: string; summary: string; range: string }[];
}

export interface Warning {
  kind: string;
  count: number;
  message: string;
  remedy: string | null;
}

export interface EvaluatedMeasure {
  measure: string;
  mean: number | null;
  summary: string;
  topics: Record<string, number | null>;
  range?: Range;
  ranges?: Record<string, number[]>;
}

export interface Interval {
  lower: number;
  upper: number;
  confidence: number;
  method: string;
}

export interface Compared {
  systems: string[];
  baseline: string | null;
  measures: {
    measure: string;
    topics: number;
    systems: {
      name: string;
      mean: number | null;
      interval: Interval | null;
      letters: string | null;
    }[];
    pairs: {
      a: string;
      b: string;
      difference: number | null;
      interval: Interval | null;
      p: number | null;
      p_corrected: number | null;
      significant: boolean;
      wins: number;
      ties: number;
      losses: number;
      joint?: { verdict: string; sentence: string } | null;
    }[];
  }[];
}

/** The means of the runs by one measure, all over the same topics. */
export interface Means {
  measure: string;
  topics: number;
  left_out_topics: string[];
  eval_differs: string | null;
  systems: { name: string; mean: number | null; interval: { lower: number | null; upper: number | null; method: string }; range?: { low: number; high: number; kind: string } }[];
}

export interface Results {
  means: Means[];
  evaluation: {
    runs: { name: string; measures: EvaluatedMeasure[] }[];
    warnings: Warning[];
  };
  comparison: Compared | null;
  warnings: Warning[];
}

/** A plot of the report. */
export interface Drawn {
  section: string;
  name: string;
  caption: string;
  svg: string;
}

export interface TopicExplained {
  document: Explained;
  unretrieved: number[];
}
