//! Batches as Parquet files.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType as Arrow;
use axiometrics::{Error, Result};
use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type as Whole};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{
    SerializedFileWriter, SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite,
};
use parquet::schema::types::{ColumnDescPtr, Type, TypePtr};

/// Rows of a group, as most other programs have it.
const GROUP: usize = 1 << 20;

/// A batch of strings, floats and whole numbers, without nulls, as the bytes of a Parquet file. It is
/// compressed with Snappy, which every reader has.
pub fn to_parquet(batch: &RecordBatch) -> Result<Vec<u8>> {
    let failed = |error: ParquetError| Error::usage(format!("cannot write Parquet: {error}"));
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        let known = matches!(field.data_type(), Arrow::Utf8 | Arrow::Float64 | Arrow::Int64);
        if !known || column.null_count() > 0 {
            let (name, kind) = (field.name(), field.data_type());
            return Err(Error::usage(format!(
                "cannot write Parquet: column \"{name}\" is of type {kind}, expected strings or numbers without nulls"
            )));
        }
    }
    written(batch).map_err(failed)
}

fn written(batch: &RecordBatch) -> std::result::Result<Vec<u8>, ParquetError> {
    let fields = batch.schema_ref().fields().iter();
    let fields = fields.map(|field| column_type(field.name(), field.data_type()));
    let fields = fields.collect::<std::result::Result<Vec<TypePtr>, _>>()?;
    let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
    let properties =
        Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).build());
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties.clone())?;
    let descriptor = file.schema_descr().columns().to_vec();
    let mut start = 0;
    while start < batch.num_rows() {
        let part = batch.slice(start, GROUP.min(batch.num_rows() - start));
        start += part.num_rows();
        let mut group = file.next_row_group()?;
        for (array, descriptor) in part.columns().iter().zip(&descriptor) {
            let mut chunk = Chunk { group: &mut group, descriptor, properties: &properties };
            match array.data_type() {
                Arrow::Utf8 => {
                    let texts = array.as_string::<i32>();
                    let values = (0..texts.len()).map(|row| ByteArray::from(texts.value(row)));
                    chunk.write::<ByteArrayType>(&values.collect::<Vec<_>>())?;
                }
                Arrow::Int64 => chunk.write::<Whole>(array.as_primitive::<Int64Type>().values())?,
                _ => chunk.write::<DoubleType>(array.as_primitive::<Float64Type>().values())?,
            }
        }
        group.close()?;
    }
    file.into_inner()
}

fn column_type(name: &str, kind: &Arrow) -> std::result::Result<TypePtr, ParquetError> {
    let (physical, logical) = match kind {
        Arrow::Utf8 => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Arrow::Int64 => (Physical::INT64, None),
        _ => (Physical::DOUBLE, None),
    };
    Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(logical)
        .build()
        .map(Arc::new)
}

/// The place of a column in a row group.
struct Chunk<'a, 'g> {
    group: &'a mut SerializedRowGroupWriter<'g, Vec<u8>>,
    descriptor: &'a ColumnDescPtr,
    properties: &'a WriterPropertiesPtr,
}

impl Chunk<'_, '_> {
    /// Encodes the values apart, and appends them: only so is there code for these types alone.
    fn write<T: DataType>(&mut self, values: &[T::T]) -> std::result::Result<(), ParquetError> {
        let mut encoded = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut encoded));
        let (descriptor, properties) = (self.descriptor.clone(), self.properties.clone());
        let mut column = ColumnWriterImpl::<T>::new(descriptor, properties, pages);
        column.write_batch(values, None, None)?;
        let closed = column.close()?;
        self.group.append_column(&Bytes::from(encoded.into_inner()?), closed)
    }
}
