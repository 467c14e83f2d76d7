# refused: Python does not accept it
x = "<U+D800>".to("cuda")
