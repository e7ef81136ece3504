//! The method table as JSON Schema (draft 2020-12), for `system.capabilities`.

use serde_json::{Map, Value, json};

use super::method::{METHODS, Member, Method, Object, Shape};

/// The result of `system.capabilities`: `{"methods": {NAME: {"description", "params", "result"}}}`.
pub fn capabilities() -> Vec<u8> {
    let describe = |method: &Method| {
        json!({
            "description": method.about,
            "params": object(method.params),
            "result": schema(&method.result),
        })
    };
    let methods: Map<String, Value> =
        METHODS.iter().map(|method| (method.name.to_owned(), describe(method))).collect();
    json!({ "methods": methods }).to_string().into_bytes()
}

fn schema(shape: &Shape) -> Value {
    match shape {
        Shape::Line { min, max } => json!({ "type": "string", "minLength": min, "maxLength": max }),
        Shape::Name { max } => json!({ "type": "string", "minLength": 1, "maxLength": max }),
        Shape::Text { max: usize::MAX } => json!({ "type": "string" }),
        Shape::Text { max } => json!({ "type": "string", "maxLength": max }),
        Shape::Word(words) => json!({ "type": "string", "enum": words }),
        Shape::Whole { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::List { of, min, max: usize::MAX } => {
            json!({ "type": "array", "items": schema(of), "minItems": min })
        }
        Shape::List { of, min, max } => {
            json!({ "type": "array", "items": schema(of), "minItems": min, "maxItems": max })
        }
        Shape::Object(of) => object(*of),
        Shape::Map => json!({ "type": "object" }),
    }
}

fn object(object: Object) -> Value {
    let property = |member: &Member| {
        let mut schema = schema(&member.shape);
        schema["description"] = member.about.into();
        if !member.required {
            schema["type"] = json!([schema["type"], "null"]);
            if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
                words.push(Value::Null);
            }
        }
        (member.name.to_owned(), schema)
    };
    let required: Vec<&str> =
        object.members().filter(|member| member.required).map(|member| member.name).collect();
    let mut schema = json!({
        "type": "object",
        "properties": object.members().map(property).collect::<Map<_, _>>(),
        "required": required,
        "additionalProperties": false,
    });
    if let Some(name) = object.name {
        schema["title"] = name.into();
    }
    schema
}
